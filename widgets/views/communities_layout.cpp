// SPDX-License-Identifier: GPL-3.0-or-later
// The layout of the communities view: run, stopped, stepped, and moved by hand.
#include "widgets/graph/graph_canvas.h"
#include "widgets/views/communities_view.h"
#include <QElapsedTimer>
#include <QToolButton>
#include <algorithm>

namespace mooring {
namespace {

constexpr int kFrame = 16; // milliseconds
constexpr qint64 kBudget = 8; // milliseconds of them for the forces
constexpr int kStepsAFrame = 4;

} // namespace

void CommunitiesView::connectCanvas() {
    m_frame.setInterval(kFrame);
    connect(&m_frame, &QTimer::timeout, this, &CommunitiesView::advanceLayout);
    m_canvas->setReadOut([this](int side, int node) { return readOutOfNode(side, node); });
    connect(m_canvas, &GraphCanvas::pointerMoved, this,
        [this](const QString& text) { setReadOut(text); });
    connect(m_canvas, &GraphCanvas::nodeActivated, this,
        [this](int node) { selection()->setExpert(shownLayer(), node); });
    connect(m_canvas, &GraphCanvas::nodeDragged, this, [this](int node, const QPointF& to) {
        m_layout.place(node, to);
        m_layout.setPinned(node, true);
        m_canvas->setPins(m_layout.pins());
        m_layout.warm(0.5);
        runLayout();
    });
    connect(m_canvas, &GraphCanvas::pinToggled, this, &CommunitiesView::togglePin);
    connect(m_canvas, &GraphCanvas::stepRequested, this, &CommunitiesView::stepLayout);
    connect(m_canvas, &GraphCanvas::runRequested, m_run, &QAbstractButton::click);
}

void CommunitiesView::togglePin(int node) {
    m_layout.setPinned(node, !m_layout.pinned(node));
    m_canvas->setPins(m_layout.pins());
}

// The base determines the positions; they stay while the tuned model changes from frame to frame.
void CommunitiesView::updateLayout(bool other) {
    const LayerCommunities& here = *layerCommunities();
    const auto same = [](const GraphEdge& a, const GraphEdge& b) {
        return a.first == b.first && a.second == b.second && a.weight == b.weight;
    };
    if (other) {
        m_layout.start(m_use.experts, edges(false), here.base.community_E);
        m_canvas->setPins(m_layout.pins());
        m_canvas->resetCamera();
    } else if (!std::equal(m_layoutEdges.begin(), m_layoutEdges.end(), edges(false).begin(),
                   edges(false).end(), same)) {
        m_layout.setEdges(edges(false));
    } else {
        m_canvas->setPositions(m_layout.positions(), false);
        return;
    }
    m_layoutEdges = edges(false);
    runLayout();
}

void CommunitiesView::runLayout() {
    if (m_layout.size() == 0)
        return;
    m_layout.warm(m_layout.atRest() ? 0.6 : 0);
    m_frame.start();
    m_run->setText(tr("&Stop layout"));
    m_canvas->setPositions(m_layout.positions(), true);
}

void CommunitiesView::stopLayout() {
    m_frame.stop();
    m_layout.rest();
    m_run->setText(tr("&Run layout"));
    m_canvas->setPositions(m_layout.positions(), false);
}

void CommunitiesView::stepLayout() {
    if (m_layout.size() == 0)
        return;
    m_frame.stop();
    m_run->setText(tr("&Run layout"));
    m_layout.warm(0.3);
    m_layout.step();
    m_canvas->setPositions(m_layout.positions(), false);
}

// A few steps per frame, and never longer than its share of it.
void CommunitiesView::advanceLayout() {
    QElapsedTimer time;
    time.start();
    for (int i = 0; i < kStepsAFrame && !m_layout.atRest() && time.elapsed() < kBudget; ++i)
        m_layout.step();
    if (m_layout.atRest())
        stopLayout();
    else
        m_canvas->setPositions(m_layout.positions(), true);
}

} // namespace mooring
