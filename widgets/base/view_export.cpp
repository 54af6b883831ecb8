// SPDX-License-Identifier: GPL-3.0-or-later
// Copy and Export of every view: always through View::paint(), never a grabbed picture.
#include "widgets/base/view.h"
#include <QBuffer>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QFontMetricsF>
#include <QGuiApplication>
#include <QImage>
#include <QMimeData>
#include <QPageSize>
#include <QPainter>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace mooring {
namespace {

constexpr qreal kPictureScale = 2; // device pixels of a PNG per logical pixel

} // namespace

// `scale`: device units per logical pixel.
void View::paintOn(QPaintDevice& device, qreal scale) const {
    const QSizeF size = pictureSize();
    m_paintTheme = m_exportTheme;
    QPainter painter(&device);
    painter.scale(scale, scale);
    painter.setFont(numberFont(font()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRectF({0, 0}, size), colors().canvas);
    paint(painter, QRectF({0, 0}, size));
    painter.end();
    m_paintTheme.reset();
}

QRectF View::paintPictureTitle(QPainter& painter, const QRectF& area) const {
    const QFont strong = strongFont(numberFont(font()));
    const QFontMetricsF metrics(strong);
    const QRectF line(area.left() + 16, area.top() + 12, area.width() - 32, metrics.height());
    painter.setFont(strong);
    painter.setPen(colors().text);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
        metrics.elidedText(pictureTitle(), Qt::ElideRight, line.width()));
    painter.setFont(numberFont(font()));
    return area.adjusted(0, line.bottom() + 4 - area.top(), 0, 0);
}

QByteArray View::encode(const QString& ending, QString* error) const {
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    const QSizeF size = pictureSize();
    if (ending == QLatin1String("csv")) {
        buffer.write(csv().toUtf8());
    } else if (ending == QLatin1String("png")) {
        QImage image((size * kPictureScale).toSize(), QImage::Format_RGB32);
        paintOn(image, kPictureScale);
        image.save(&buffer, "PNG");
    } else if (ending == QLatin1String("svg")) {
        QSvgGenerator generator;
        generator.setOutputDevice(&buffer);
        generator.setResolution(96); // a pixel of CSS
        generator.setSize(size.toSize());
        generator.setViewBox(QRectF({0, 0}, size));
        generator.setTitle(pictureTitle());
        generator.setDescription(explanation());
        paintOn(generator, 1);
        // For readers without this family.
        const QByteArray family = "font-family=\"" + numberFont(font()).family().toUtf8();
        bytes.replace(family + '"', family + ", sans-serif\"");
    } else if (ending == QLatin1String("pdf")) {
        QPdfWriter writer(&buffer);
        writer.setPageSize(QPageSize(size * 72 / 96, QPageSize::Point));
        writer.setPageMargins({});
        writer.setTitle(pictureTitle());
        writer.setResolution(288);
        paintOn(writer, 288.0 / 96);
    } else if (error) {
        *error
            = tr("\".%1\" is not an export format: choose .png, .svg, .pdf or .csv.").arg(ending);
    }
    return bytes;
}

bool View::exportTo(const QString& path, QString* error) const {
    const QByteArray bytes = encode(QFileInfo(path).suffix().toLower(), error);
    if (bytes.isEmpty())
        return false;
    QSaveFile file(path);
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit())
        return true;
    if (error)
        *error
            = tr("%1 cannot be written: %2. Choose another folder.").arg(path, file.errorString());
    return false;
}

void View::copy() {
    auto* data = new QMimeData; // the clipboard owns it
    data->setText(csv());
    data->setImageData(QImage::fromData(encode(QStringLiteral("png"), nullptr)));
    data->setData(QStringLiteral("image/svg+xml"), encode(QStringLiteral("svg"), nullptr));
    QGuiApplication::clipboard()->setMimeData(data);
    Q_EMIT message(tr("Copied the image and its numbers."));
}

void View::chooseExport(const QString& ending) {
    auto* dialog = new QFileDialog(this, tr("Export %1").arg(title()));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(ending);
    dialog->setNameFilter(tr("%1 files (*.%2)").arg(ending.toUpper(), ending));
    dialog->selectFile(title().toLower() + QLatin1Char('.') + ending);
    connect(dialog, &QFileDialog::fileSelected, this, [this](const QString& path) {
        QString error;
        const bool done = exportTo(path, &error);
        Q_EMIT message(done ? tr("Exported to %1.").arg(path) : error);
    });
    dialog->open();
}

} // namespace mooring
