// SPDX-License-Identifier: GPL-3.0-or-later
// Which weights an adapter belongs to, and with which rank and scale (PEFT 0.21:
// tuners_utils.check_target_module_exists, other.get_pattern_key, lora/model.py).
#include "core/model/peft/adapter_config.h"
#include <algorithm>
#include <charconv>
#include <cmath>

namespace mooring {

namespace {

constexpr std::string_view kWeight = ".weight";

std::string moduleOf(const std::string& weight) {
    return weight.ends_with(kWeight) ? weight.substr(0, weight.size() - kWeight.size()) : weight;
}

std::string lastName(const std::string& name) {
    return name.substr(name.rfind('.') + 1);
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

bool endsInOneOf(const std::vector<std::string>& endings, const std::string& name) {
    return std::any_of(endings.begin(), endings.end(),
        [&](const std::string& ending) { return name.ends_with("." + ending); });
}

std::vector<std::string_view> partsOf(std::string_view name) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= name.size();) {
        const auto end = std::min(name.find('.', begin), name.size());
        parts.push_back(name.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
    const bool whole = failed == std::errc() && end == text.data() + text.size() && number >= 0;
    return whole ? std::optional(number) : std::nullopt;
}

// The number behind the first list of layers: behind one of the names in `lists`, or, where it is
// empty, the first number that follows two other parts.
std::optional<std::int64_t> layerIn(
    const std::string& module, const std::vector<std::string>& lists) {
    const auto parts = partsOf(module);
    const auto first = [&](const std::string& list) -> std::optional<std::int64_t> {
        const auto names = partsOf(list);
        for (std::size_t i = 0; i + names.size() + 1 < parts.size(); ++i)
            if (std::equal(
                    names.begin(), names.end(), parts.begin() + static_cast<std::ptrdiff_t>(i)))
                if (const auto number = wholeNumber(parts[i + names.size()]))
                    return number;
        return std::nullopt;
    };
    for (const auto& list : lists)
        if (const auto number = first(list))
            return number;
    if (lists.empty())
        for (std::size_t i = 2; i + 1 < parts.size(); ++i)
            if (const auto number = wholeNumber(parts[i]))
                return number;
    return std::nullopt;
}

} // namespace

bool AdapterConfig::replaces(const std::string& weight) const {
    // The module that holds the weight, and every one around it, by the end of its name.
    for (auto dot = weight.rfind('.'); dot != std::string::npos && dot > 0;
         dot = weight.rfind('.', dot - 1)) {
        const auto module = std::string_view(weight).substr(0, dot);
        for (const auto& saved : m_saved)
            if (module.ends_with(saved))
                return true;
    }
    return false;
}

Result<bool> AdapterConfig::isKeptAway(const std::string& module) const {
    if (contains(m_excluded.list, module) || endsInOneOf(m_excluded.list, module))
        return true;
    if (m_excluded.expression) {
        MOORING_TRY(const bool matches, m_excluded.expression->matchesAll(module));
        if (matches)
            return true;
    }
    for (const auto& saved : m_savedPatterns) {
        MOORING_TRY(const bool matches, saved.matchesBeginning(module));
        if (matches)
            return true;
    }
    return false;
}

bool AdapterConfig::isInLayers(const std::string& module) const {
    if (m_layers.empty())
        return true;
    const auto layer = layerIn(module, m_layerLists);
    return layer && std::find(m_layers.begin(), m_layers.end(), *layer) != m_layers.end();
}

Result<bool> AdapterConfig::targetsModule(const std::string& module) const {
    MOORING_TRY(const bool away, isKeptAway(module));
    if (away || contains(m_stacked, lastName(module)))
        return false;
    if (m_allLinear)
        return module != "lm_head" && !module.ends_with("embed_tokens");
    if (m_targets.expression)
        return m_targets.expression->matchesAll(module);
    return contains(m_targets.list, module)
        || (endsInOneOf(m_targets.list, module) && isInLayers(module));
}

Result<AdapterShape> AdapterConfig::shapeFor(const std::string& name) const {
    auto rank = m_rank;
    auto alpha = m_alpha;
    for (const auto& exception : m_ranks) {
        MOORING_TRY(const bool matches, exception.name.matchesBeginning(name));
        if (matches) {
            rank = exception.value;
            break;
        }
    }
    for (const auto& exception : m_alphas) {
        MOORING_TRY(const bool matches, exception.name.matchesBeginning(name));
        if (matches) {
            alpha = exception.value;
            break;
        }
    }
    const auto wide = static_cast<double>(rank);
    return AdapterShape{rank, alpha / (m_rankStabilised ? std::sqrt(wide) : wide)};
}

Result<std::optional<AdapterShape>> AdapterConfig::shapeOf(
    const std::string& weight, bool linear) const {
    const auto named = [this](Error error, const std::string& key) {
        error.where = m_where;
        error.hint = "write " + key + " in a simpler form";
        return error;
    };
    std::string name = moduleOf(weight);
    bool byParameter = false;
    if (linear) {
        const auto targeted = targetsModule(name);
        if (!targeted)
            return named(targeted.error(), "target_modules or exclude_modules");
        linear = *targeted;
    }
    if (!linear) {
        if (!contains(m_parameters, weight) && !endsInOneOf(m_parameters, weight))
            return std::optional<AdapterShape>();
        name = weight;
        byParameter = true;
    }
    auto shape = shapeFor(name);
    if (!shape)
        return named(shape.error(), "rank_pattern and alpha_pattern");
    shape->byParameter = byParameter;
    return std::optional<AdapterShape>(*shape);
}

} // namespace mooring
