// SPDX-License-Identifier: GPL-3.0-or-later
// A comparison as Markdown and CSV.
#include "core/files/atomic_folder.h"
#include "core/run/tables.h"
#include "core/study/compared_table.h"
#include <cmath>
#include <cstdio>
#include <unistd.h>

namespace mooring {

namespace fs = std::filesystem;

namespace {

std::string numberCell(double value, bool percent) {
    char text[32];
    std::snprintf(text, sizeof text, percent ? "%.1f" : "%.3f", percent ? 100 * value : value);
    return text;
}

std::string cellText(const ComparedCell& cell, const ComparedMetric& metric) {
    if (cell.n == 0)
        return "";
    std::string text = numberCell(cell.mean, metric.percent);
    if (cell.n > 1)
        text += " ± " + numberCell(cell.sd, metric.percent);
    if (cell.best)
        text = "**" + text + "**";
    return cell.differs ? text + " *" : text;
}

std::string seedsText(const std::vector<std::uint64_t>& seeds) {
    std::string text;
    for (const auto seed : seeds)
        text += (text.empty() ? "" : " ") + std::to_string(seed);
    return text;
}

// A CSV written next to its destination and renamed: two processes of a study may write it at once.
template <typename Fill>
Result<void> writeCsv(const fs::path& path, const std::string& header, Fill fill) {
    const fs::path beside = path.string() + "." + std::to_string(::getpid());
    CsvFile file(beside, header.c_str());
    fill(file);
    std::error_code failed;
    if (const auto written = file.finish(); !written.ok()) {
        fs::remove(beside, failed);
        return written;
    }
    fs::rename(beside, path, failed);
    if (failed)
        return Error{ErrorCode::Output, "cannot be moved into place, " + failed.message(),
            path.string(), "check the folder"};
    return {};
}

Result<void> writeMeans(const fs::path& path, const ComparedTable& table) {
    std::string header = "condition,method,strength,seeds";
    for (const auto& metric : table.metrics)
        header += "," + metric.id + "_mean," + metric.id + "_sd," + metric.id + "_n";
    return writeCsv(path, header, [&](CsvFile& file) {
        for (const auto& row : table.rows) {
            for (const auto& text : {row.condition, row.method, row.strength, seedsText(row.seeds)})
                file.cell(text);
            for (const auto& cell : row.cells) {
                file.cell(cell.mean);
                file.cell(cell.sd);
                file.cell(std::int64_t{cell.n});
            }
            file.endRow();
        }
    });
}

void beginRun(CsvFile& file, const ComparedRun& run, std::int64_t step) {
    for (const auto& text : {run.name, run.condition, run.method, run.strength})
        file.cell(text);
    file.cell(static_cast<std::int64_t>(run.seed));
    file.cell(step);
}

constexpr const char* kRunColumns = "run,condition,method,strength,seed,step";

Result<void> writeRuns(const fs::path& path, const ComparedTable& table) {
    std::string header = kRunColumns;
    for (const auto& metric : table.metrics)
        header += "," + metric.id;
    return writeCsv(path, header + ",problem", [&](CsvFile& file) {
        for (const auto& run : table.runs) {
            const ComparedPoint none;
            const auto& point = run.last() ? *run.last() : none;
            beginRun(file, run, point.step);
            for (const auto& metric : table.metrics)
                file.cell(point.value(metric.id));
            file.cell(run.problem);
            file.endRow();
        }
    });
}

Result<void> writeScatter(const fs::path& path, const ComparedTable& table) {
    return writeCsv(path, std::string(kRunColumns) + ",id,ood,overlap", [&](CsvFile& file) {
        for (const auto& run : table.runs)
            for (const auto& point : run.points)
                if (point.values.contains("id")) {
                    beginRun(file, run, point.step);
                    for (const char* id : {"id", "ood", "overlap"})
                        file.cell(point.value(id));
                    file.endRow();
                }
    });
}

} // namespace

std::string markdownOf(const ComparedTable& table) {
    std::string text = "| condition | strength | n |", rule = "|---|---|---|";
    for (const auto& metric : table.metrics) {
        text += " " + metric.title + (metric.percent ? " % |" : " |");
        rule += "---|";
    }
    text += "\n" + rule + "\n";
    for (const auto& row : table.rows) {
        text += "| " + row.condition + " | " + row.strength + " | "
            + (row.base ? "" : std::to_string(row.counted)) + " |";
        for (std::size_t i = 0; i < row.cells.size(); ++i)
            text += " " + cellText(row.cells[i], table.metrics[i]) + " |";
        text += "\n";
    }
    text += "\n" + table.caption + "\n";
    for (const auto& notice : table.notices)
        text += "\n- " + notice;
    return table.notices.empty() ? text : text + "\n";
}

Result<void> writeComparedTables(const fs::path& folder, const ComparedTable& table) {
    std::error_code failed;
    fs::create_directories(folder, failed);
    if (failed)
        return Error{ErrorCode::Output, "the folder cannot be created, " + failed.message(),
            folder.string(), "choose a writable folder"};
    MOORING_RETURN_IF_ERROR(writeMeans(folder / "study.csv", table));
    MOORING_RETURN_IF_ERROR(writeRuns(folder / "runs.csv", table));
    MOORING_RETURN_IF_ERROR(writeScatter(folder / "scatter.csv", table));
    return writeFileAtomically(folder / "study.md", markdownOf(table));
}

} // namespace mooring
