// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/data_report_text.h"
#include <algorithm>
#include <cstdio>

namespace mooring::cli {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kBins = 20;

double supervisedShare(const DataReport& report) {
    return report.tokens == 0
        ? 0
        : static_cast<double>(report.supervised) / static_cast<double>(report.tokens);
}

std::int64_t stepsOf(std::int64_t rows, std::int64_t global) {
    return (rows + global - 1) / global;
}

template <typename... Values>
std::string line(const char* format, Values... values) {
    char text[400];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

std::string number(std::int64_t value) {
    return std::to_string(value);
}

std::string reasonsText(const DataReport& report) {
    std::string text;
    for (const DropReason& reason : report.dropped) {
        text += line("%9lld dropped: ", static_cast<long long>(reason.rows)) + reason.reason;
        for (std::size_t i = 0; i < reason.places.size(); ++i)
            text += (i == 0 ? " (" : ", ") + reason.places[i];
        const auto more = reason.rows - static_cast<std::int64_t>(reason.places.size());
        text += (more > 0 ? " and " + number(more) + " more" : "") + ")\n";
    }
    const auto notice = [&](std::int64_t rows, const char* what) {
        if (rows > 0)
            text += line("%9lld ", static_cast<long long>(rows)) + what + "\n";
    };
    notice(report.truncated, "truncated to --max-length");
    notice(report.doubledBos, "starting with two BOS tokens");
    notice(report.specialText, "with text that spells out a special token");
    return text;
}

std::string lengthsText(const DataReport& report) {
    std::string text;
    const auto bins = report.bins(kBins);
    std::int64_t most = 1;
    for (const LengthBin& bin : bins)
        most = std::max(most, bin.rows);
    for (const LengthBin& bin : bins)
        text += line("%9lld to %-7lld %9lld ", static_cast<long long>(bin.from),
                    static_cast<long long>(bin.to - 1), static_cast<long long>(bin.rows))
            + std::string(static_cast<std::size_t>(40 * bin.rows / most), '#') + "\n";
    return text;
}

} // namespace

Json reportJson(const DataReport& report, std::int64_t global) {
    Json reasons = Json::array(), bins = Json::array();
    for (const DropReason& reason : report.dropped)
        reasons.push_back(
            {{"reason", reason.reason}, {"rows", reason.rows}, {"places", reason.places}});
    for (const LengthBin& bin : report.bins(kBins))
        bins.push_back({{"from", bin.from}, {"to", bin.to}, {"rows", bin.rows}});
    return {{"rows", report.rows}, {"kept", report.kept}, {"dropped", report.rows - report.kept},
        {"reasons", reasons}, {"tokens", report.tokens}, {"supervised", report.supervised},
        {"supervised_share", supervisedShare(report)}, {"truncated", report.truncated},
        {"doubled_bos", report.doubledBos}, {"special_text", report.specialText},
        {"lengths",
            {{"min", report.lengthBelow(0)}, {"median", report.lengthBelow(0.5)},
                {"p95", report.lengthBelow(0.95)}, {"max", report.lengthBelow(1)}, {"bins", bins}}},
        {"epoch_rows", report.epochRows()}, {"global", global},
        {"steps_per_epoch", stepsOf(report.epochRows(), global)}};
}

std::string reportText(const DataReport& report, std::int64_t global) {
    std::string text = number(report.rows) + " rows: " + number(report.kept) + " kept, "
        + number(report.rows - report.kept) + " dropped; " + number(report.tokens) + " tokens, "
        + line("%.1f%% supervised\n", 100 * supervisedShare(report));
    text += reasonsText(report);
    text += "length in tokens: " + number(report.lengthBelow(0)) + " to "
        + number(report.lengthBelow(1)) + ", median " + number(report.lengthBelow(0.5))
        + ", 95th percentile " + number(report.lengthBelow(0.95)) + "\n" + lengthsText(report);
    return text + "at " + number(global) + " rows per step, an epoch has "
        + number(stepsOf(report.epochRows(), global)) + " steps";
}

} // namespace mooring::cli
