// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/style/color_map.h"
#include "widgets/style/ok_color.h"
#include <QPainter>
#include <QVarLengthArray>
#include <algorithm>
#include <cmath>
#include <vector>

namespace mooring {
namespace {

// The published tables (CC0): viridis by van der Walt and Smith, cividis by Nunez, Anderton and
// Renslow. Six hexadecimal digits a color.
constexpr char kViridis[]
    = "44015444025645045745055946075a46085c460a5d460b5e470d60470e61471063471164471365481467481668"
      "48176948186a481a6c481b6d481c6e481d6f481f70482071482173482374482475482576482677482878482979"
      "472a7a472c7a472d7b472e7c472f7d46307e46327e46337f463480453581453781453882443983443a83443b84"
      "433d84433e85423f854240864241864142874144874045884046883f47883f48893e49893e4a893e4c8a3d4d8a"
      "3d4e8a3c4f8a3c508b3b518b3b528b3a538b3a548c39558c39568c38588c38598c375a8c375b8d365c8d365d8d"
      "355e8d355f8d34608d34618d33628d33638d32648e32658e31668e31678e31688e30698e306a8e2f6b8e2f6c8e"
      "2e6d8e2e6e8e2e6f8e2d708e2d718e2c718e2c728e2c738e2b748e2b758e2a768e2a778e2a788e29798e297a8e"
      "297b8e287c8e287d8e277e8e277f8e27808e26818e26828e26828e25838e25848e25858e24868e24878e23888e"
      "23898e238a8d228b8d228c8d228d8d218e8d218f8d21908d21918c20928c20928c20938c1f948c1f958b1f968b"
      "1f978b1f988b1f998a1f9a8a1e9b8a1e9c891e9d891f9e891f9f881fa0881fa1881fa1871fa28720a38620a486"
      "21a58521a68522a78522a88423a98324aa8325ab8225ac8226ad8127ad8128ae8029af7f2ab07f2cb17e2db27d"
      "2eb37c2fb47c31b57b32b67a34b67935b77937b87838b9773aba763bbb753dbc743fbc7340bd7242be7144bf70"
      "46c06f48c16e4ac16d4cc26c4ec36b50c46a52c56954c56856c66758c7655ac8645cc8635ec96260ca6063cb5f"
      "65cb5e67cc5c69cd5b6ccd5a6ece5870cf5773d05675d05477d1537ad1517cd2507fd34e81d34d84d44b86d549"
      "89d5488bd6468ed64590d74393d74195d84098d83e9bd93c9dd93ba0da39a2da37a5db36a8db34aadc32addc30"
      "b0dd2fb2dd2db5de2bb8de29bade28bddf26c0df25c2df23c5e021c8e020cae11fcde11dd0e11cd2e21bd5e21a"
      "d8e219dae319dde318dfe318e2e418e5e419e7e419eae51aece51befe51cf1e51df4e61ef6e620f8e621fbe723"
      "fde725";
constexpr char kCividis[]
    = "00224e00234f00245100255300255400265600275800285900285b00295d002a5f002a61002b62002c64002c66"
      "002d68002e6a002e6c002f6d00306f0030700031700031710132710533710833700c34700f3570123570143670"
      "16377018376f1a386f1c396f1e3a6f203a6f213b6e233c6e243c6e263d6e273e6e293f6e2a3f6d2b406d2d416d"
      "2e416d2f426d31436d32436d33446d34456c35456c36466c38476c39486c3a486c3b496c3c4a6c3d4a6c3e4b6c"
      "3f4c6c404c6c414d6c424e6c434e6c444f6c45506c46516c47516c48526c49536c4a536c4b546c4c556c4d556c"
      "4e566c4f576c50576c51586d52596d535a6d545a6d555b6d555c6d565c6d575d6d585e6d595e6e5a5f6e5b606e"
      "5c616e5d616e5e626e5e636f5f636f60646f61656f62656f636670646770656870656870666970676a71686a71"
      "696b716a6c716b6d726c6d726c6e726d6f726e6f736f7073707173717274727274727374737475747475757575"
      "7676767777767777777878777979777a7a787b7a787c7b787d7c787e7c787e7d787f7e78807f78817f78828079"
      "8381798482798582798683798784788885788985788a86788b87788c88788d88788e89788f8a78908b78918b78"
      "928c78928d78938e78948e77958f779690779791779892779992779a93769b94769c95769d95769e96769f9775"
      "a09875a19975a29975a39a74a49b74a59c74a69c74a79d73a89e73a99f73aaa073aba072aca172ada272aea371"
      "afa471b0a571b1a570b3a670b4a76fb5a86fb6a96fb7a96eb8aa6eb9ab6dbaac6dbbad6dbcae6cbdae6cbeaf6b"
      "bfb06bc0b16ac1b26ac2b369c3b369c4b468c5b568c6b667c7b767c8b866c9b965cbb965ccba64cdbb63cebc63"
      "cfbd62d0be62d1bf61d2c060d3c05fd4c15fd5c25ed6c35dd7c45cd9c55cdac65bdbc75adcc859ddc858dec958"
      "dfca57e0cb56e1cc55e2cd54e4ce53e5cf52e6d051e7d150e8d24fe9d34eead34cebd44bedd54aeed649efd748"
      "f0d846f1d945f2da44f3db42f5dc41f6dd3ff7de3ef8df3cf9e03afbe138fce236fde334fee434fee535fee636"
      "fee838";

int hexDigit(char c) {
    return c <= '9' ? c - '0' : c - 'a' + 10;
}

ColorTable decode(const char* text) {
    ColorTable table;
    for (QRgb& color : table) {
        QRgb value = 0;
        for (int digit = 0; digit < 6; ++digit)
            value = value * 16 + hexDigit(*text++);
        color = 0xff000000 | value;
    }
    return table;
}

// Two straight lines in OKLab that meet at entry 128, which is exactly the gray: zero has no hue,
// and equal amounts either way are equally strong.
ColorTable difference(const OkLab& low, const OkLab& centre, const OkLab& high) {
    ColorTable table;
    for (int i = 0; i < 256; ++i) {
        const OkLab& end = i < 128 ? low : high;
        const double t = i < 128 ? (128 - i) / 128.0 : (i - 128) / 127.0;
        table[i] = fromOkLab({centre.lightness + t * (end.lightness - centre.lightness),
            centre.a + t * (end.a - centre.a), centre.b + t * (end.b - centre.b)});
    }
    return table;
}

OkLab lch(double lightness, double chroma, double hue) {
    const double radians = hue * 3.14159265358979323846 / 180;
    return {lightness, chroma * std::cos(radians), chroma * std::sin(radians)};
}

// The value below which `share` of the sorted values lie, linear between two of them.
double percentile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - static_cast<double>(below)) * (sorted[above] - sorted[below]);
}

std::vector<double> sortedValues(std::span<const double> values, bool absolute) {
    std::vector<double> sorted;
    sorted.reserve(values.size());
    for (const double value : values)
        if (std::isfinite(value))
            sorted.push_back(absolute ? std::abs(value) : value);
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

} // namespace

const ColorTable& colorTable(ColorMapId id, ThemeKind theme) {
    static const ColorTable viridis = decode(kViridis);
    static const ColorTable cividis = decode(kCividis);
    static const ColorTable onDark
        = difference(lch(0.72, 0.125, 245), lch(0.335, 0, 0), lch(0.72, 0.140, 60));
    static const ColorTable onLight
        = difference(lch(0.54, 0.135, 250), lch(0.935, 0, 0), lch(0.54, 0.140, 50));
    switch (id) {
    case ColorMapId::Viridis:
        return viridis;
    case ColorMapId::Cividis:
        return cividis;
    case ColorMapId::Difference:
        break;
    }
    return theme == ThemeKind::Dark ? onDark : onLight;
}

double ColorRange::position(double value) const {
    if (!(high > low))
        return value > low ? 1 : (low < 0 ? 0.5 : 0);
    return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

int ColorRange::index(double value) const {
    return std::min(255, static_cast<int>(position(value) * 256));
}

ColorRange robustRange(std::span<const double> values, bool diverging) {
    const std::vector<double> sorted = sortedValues(values, diverging);
    double high = sorted.empty() ? 1 : percentile(sorted, diverging ? 0.98 : 0.99);
    if (high <= 0)
        high = sorted.empty() || sorted.back() <= 0 ? 1 : sorted.back();
    return {diverging ? -high : 0, high};
}

ColorRange tightRange(std::span<const double> values) {
    const std::vector<double> sorted = sortedValues(values, false);
    if (sorted.empty())
        return {0, 1};
    const double low = percentile(sorted, 0.02);
    const double high = percentile(sorted, 0.98);
    return high > low ? ColorRange{low, high} : ColorRange{low - 0.5, low + 0.5};
}

void paintHatch(QPainter& painter, const QRectF& area, const ThemeColors& colors) {
    painter.fillRect(area, colors.noData);
    // Every line satisfies x + y = n period; its two ends are where it leaves the area.
    QVarLengthArray<QLineF, 256> lines;
    const double first = std::ceil((area.left() + area.top()) / kHatchPeriod);
    const double last = std::floor((area.right() + area.bottom()) / kHatchPeriod);
    for (double n = first; n <= last; ++n) {
        const double sum = n * kHatchPeriod;
        const double left = std::max(area.left(), sum - area.bottom());
        const double right = std::min(area.right(), sum - area.top());
        if (right > left)
            lines.append({left, sum - left, right, sum - right});
    }
    painter.save();
    painter.setPen(QPen(colors.hatch, 1, Qt::SolidLine, Qt::FlatCap));
    painter.drawLines(lines.constData(), static_cast<int>(lines.size()));
    painter.restore();
}

} // namespace mooring
