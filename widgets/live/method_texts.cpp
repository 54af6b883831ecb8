// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/live/method_texts.h"
#include "core/config/run_config.h"
#include <QCoreApplication>
#include <algorithm>
#include <iterator>

namespace mooring {
namespace {

// Paper: overall accuracy of nine benchmarks and NMI on Moonlight after math20k (arXiv
// 2609.08115v1); empty where it has none.
struct MethodWords {
    const char* id;
    const char* sentence;
    const char* paper;
};

constexpr MethodWords kWords[] = {
    {"sft",
        QT_TRANSLATE_NOOP("mooring::Methods", "Cross-entropy only: nothing anchors the router."),
        "20.25, NMI .575"},
    {"lbl",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "Pushes every layer toward equal use of its experts, whatever the base did."),
        "20.61, NMI .554"},
    {"rpb",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "Adds beta times the base's prior for the token's span to the router's logits during "
            "training. At inference there is no bias."),
        "28.27, NMI .631"},
    {"router_l2",
        QT_TRANSLATE_NOOP("mooring::Methods", "Pulls the router's weights toward the base's."),
        "27.69, NMI .628"},
    {"kl_to_base",
        QT_TRANSLATE_NOOP(
            "mooring::Methods", "Pulls the router's distribution over experts toward the base's."),
        "27.50"},
    {"logit_l2",
        QT_TRANSLATE_NOOP(
            "mooring::Methods", "Pulls the router's centered logits toward the base's."),
        "27.24"},
    {"rpb_hard",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "The base's prior for the span chooses the experts during training; the router only "
            "weighs them."),
        "24.08, NMI .634 (one seed)"},
    {"within_soft",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "A control: RPB with a prior whose experts are shuffled within each community of the "
            "base."),
        "27.23, NMI .632"},
    {"within_hard",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "A control: RPB-hard with a prior whose experts are shuffled within each community of "
            "the base."),
        "18.77, NMI .634"},
    {"global_hard",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "A control: RPB-hard with a prior whose experts are shuffled over all experts."),
        "3.59, NMI .642"},
    {"router_freeze",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "The router's weights and biases stay at the base's values; everything else trains."),
        ""},
    {"z_loss",
        QT_TRANSLATE_NOOP("mooring::Methods",
            "Keeps the router's logits small by penalizing the square of their logsumexp."),
        ""},
};

const MethodWords* wordsOf(const std::string& id) {
    const auto* found = std::find_if(std::begin(kWords), std::end(kWords),
        [&](const MethodWords& words) { return id == words.id; });
    return found == std::end(kWords) ? nullptr : found;
}

struct Methods {
    Q_DECLARE_TR_FUNCTIONS(mooring::Methods)
};

} // namespace

QString methodSentence(const std::string& id) {
    const MethodWords* words = wordsOf(id);
    return words ? Methods::tr(words->sentence) : QString();
}

QString methodTip(const std::string& id) {
    const MethodWords* words = wordsOf(id);
    if (!words)
        return {};
    QString tip = Methods::tr(words->sentence);
    if (*words->paper != '\0')
        tip += QLatin1Char('\n')
            + Methods::tr("In the paper, Moonlight after math20k: %1 over nine benchmarks.")
                  .arg(QLatin1String(words->paper));
    return tip;
}

SliderScale strengthScale(const std::string& id) {
    struct Range {
        const char* id;
        double low, high;
    };
    constexpr Range kRanges[] = {{"lbl", 1e-5, 1}, {"router_l2", 1, 1e5}, {"kl_to_base", 1e-4, 10},
        {"logit_l2", 1e-6, 1}, {"z_loss", 1e-6, 1}};
    for (const Range& range : kRanges)
        if (id == range.id)
            return {.low = range.low, .high = range.high, .logarithmic = true};
    const MethodTraits* traits = findMethodTraits(id); // a penalty that came later
    const double usual = traits && traits->defaultStrength > 0 ? traits->defaultStrength : 1;
    return {.low = usual * 1e-3, .high = usual * 1e2, .logarithmic = true};
}

} // namespace mooring
