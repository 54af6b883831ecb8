// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/style.h"
#include "widgets/style/theme.h"
#include <QPainter>
#include <QStyleOption>
#include <QTabBar>

namespace mooring {
namespace {

const ThemeColors& colorsOf(const QStyleOption& option) {
    return themeColors(themeOf(option.palette));
}

// Centered in the track, with a minimum length for easy grabbing.
void drawThinScrollBar(
    const QRect& slider, bool horizontal, bool active, const ThemeColors& c, QPainter& painter) {
    QRectF thumb(slider);
    const qreal slack = (horizontal ? thumb.height() : thumb.width()) / 2 - 3;
    thumb
        = horizontal ? thumb.adjusted(2, slack, -2, -slack) : thumb.adjusted(slack, 2, -slack, -2);
    QColor color = c.mutedText;
    color.setAlpha(active ? 190 : 100);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawRoundedRect(thumb, 3, 3);
}

void drawFlatButton(const QStyleOption& option, QPainter& painter) {
    const ThemeColors& c = colorsOf(option);
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(&option);
    const bool enabled = option.state & QStyle::State_Enabled;
    const bool first = enabled && button && (button->features & QStyleOptionButton::DefaultButton);
    QColor back = first ? c.accent : c.raised;
    if (option.state & (QStyle::State_Sunken | QStyle::State_On))
        back = first ? c.accent.darker(115) : c.chosen;
    else if (enabled && (option.state & QStyle::State_MouseOver))
        back = first ? c.accent.lighter(108) : c.grid;
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(option.state & QStyle::State_HasFocus ? QPen(c.accent, 1.5) : QPen(Qt::NoPen));
    painter.setBrush(back);
    painter.drawRoundedRect(QRectF(option.rect).adjusted(0.75, 0.75, -0.75, -0.75), 4, 4);
    painter.restore();
}

void drawFlatTab(const QStyleOptionTab& tab, QPainter& painter) {
    const ThemeColors& c = colorsOf(tab);
    const bool bottom = tab.shape == QTabBar::RoundedSouth || tab.shape == QTabBar::TriangularSouth;
    if (tab.state & QStyle::State_Selected) {
        QRect line = tab.rect;
        line.setTop(bottom ? line.top() : line.bottom() - 1);
        line.setHeight(2);
        painter.fillRect(line, c.accent);
    } else if (tab.state & QStyle::State_MouseOver) {
        painter.fillRect(tab.rect.adjusted(0, 0, 0, -2), c.raised);
    }
}

} // namespace

CalmStyle::CalmStyle()
    : QProxyStyle(QStringLiteral("Fusion")) { }

void CalmStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option,
    QPainter* painter, const QWidget* widget) const {
    switch (element) {
    case PE_FrameTabBarBase:
        painter->fillRect(
            QRect(option->rect.left(), option->rect.bottom(), option->rect.width(), 1),
            colorsOf(*option).border);
        return;
    case PE_FrameTabWidget:
    case PE_PanelToolBar:
    case PE_PanelMenuBar:
    case PE_FrameStatusBarItem:
        return;
    case PE_PanelButtonCommand:
        drawFlatButton(*option, *painter);
        return;
    case PE_PanelButtonTool:
        // Flat until pressed, chosen or under the pointer.
        if (option->state & (State_Sunken | State_On)) {
            painter->fillRect(option->rect, colorsOf(*option).chosen);
        } else if ((option->state & State_MouseOver) && (option->state & State_Enabled)) {
            painter->fillRect(option->rect, colorsOf(*option).raised);
        }
        return;
    default:
        QProxyStyle::drawPrimitive(element, option, painter, widget);
    }
}

void CalmStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
    const QWidget* widget) const {
    if (element == CE_ToolBar || element == CE_MenuBarEmptyArea) {
        painter->fillRect(option->rect, colorsOf(*option).window);
        return;
    }
    const auto* button = qstyleoption_cast<const QStyleOptionButton*>(option);
    if (element == CE_PushButtonLabel && button
        && (button->features & QStyleOptionButton::DefaultButton)
        && (button->state & State_Enabled)) {
        QStyleOptionButton inked = *button;
        inked.palette.setColor(QPalette::ButtonText, colorsOf(*option).accentText);
        QProxyStyle::drawControl(element, &inked, painter, widget);
        return;
    }
    if (element == CE_TabBarTabShape) {
        if (const auto* tab = qstyleoption_cast<const QStyleOptionTab*>(option))
            drawFlatTab(*tab, *painter);
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void CalmStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option,
    QPainter* painter, const QWidget* widget) const {
    const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
    if (control != CC_ScrollBar || !slider) {
        QProxyStyle::drawComplexControl(control, option, painter, widget);
        return;
    }
    painter->save();
    painter->fillRect(option->rect, option->palette.color(QPalette::Base));
    const QRect thumb = proxy()->subControlRect(CC_ScrollBar, option, SC_ScrollBarSlider, widget);
    drawThinScrollBar(thumb, slider->orientation == Qt::Horizontal,
        option->state & (State_MouseOver | State_Sunken), colorsOf(*option), *painter);
    painter->restore();
}

int CalmStyle::pixelMetric(
    PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_ScrollBarExtent:
        return 12;
    case PM_ToolBarItemSpacing:
        return 4;
    case PM_ToolBarFrameWidth:
        return 0;
    case PM_DockWidgetSeparatorExtent:
    case PM_SplitterWidth:
        return 5;
    case PM_TabBarTabHSpace:
        return 28;
    case PM_TabBarTabVSpace:
        return 14;
    case PM_TabBarTabShiftVertical:
    case PM_TabBarTabShiftHorizontal:
        return 0;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int CalmStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
    QStyleHintReturn* result) const {
    // Mnemonics stay underlined, so that keyboard access is visible.
    if (hint == SH_UnderlineShortcut)
        return 1;
    return QProxyStyle::styleHint(hint, option, widget, result);
}

QSize CalmStyle::sizeFromContents(
    ContentsType type, const QStyleOption* option, const QSize& size, const QWidget* widget) const {
    QSize full = QProxyStyle::sizeFromContents(type, option, size, widget);
    if (type == CT_ToolButton)
        full += QSize(4, 2);
    if (type == CT_PushButton)
        full = QSize(std::max(full.width() + 20, 80), full.height() + 6);
    return full;
}

} // namespace mooring
