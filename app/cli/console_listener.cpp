// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/console_listener.h"
#include "core/base/format_bytes.h"
#include "core/run/trainable_text.h"
#include <cstdio>
#include <unistd.h>

namespace mooring::cli {

std::string clock(double seconds) {
    char text[32];
    const auto whole = static_cast<long>(seconds + 0.5);
    std::snprintf(text, sizeof text, "%ld:%02ld", whole / 60, whole % 60);
    return text;
}

ConsoleListener::ConsoleListener(bool quiet)
    : m_quiet(quiet)
    , m_terminal(::isatty(STDERR_FILENO) != 0) { }

ConsoleListener::~ConsoleListener() {
    endLine();
}

void ConsoleListener::endLine() {
    if (m_open)
        std::fprintf(stderr, "\n");
    m_open = false;
}

void ConsoleListener::progress(const RunProgress& p) {
    if (m_quiet)
        return;
    const bool training = tellsSteps(p.phase) && p.phase != RunPhase::Paused;
    const auto phase = phaseText(p);
    if (!m_terminal
        && ((training && p.step % 20 != 0 && p.step != p.steps)
            || (!training && phase == m_lastPhase)))
        return;
    m_lastPhase = phase;
    std::string line;
    if (training) {
        line = "step " + std::to_string(p.step) + "/" + std::to_string(p.steps);
        if (p.secondsLeft >= 0)
            line += "  " + clock(p.secondsLeft) + " left";
        char rate[64];
        std::snprintf(rate, sizeof rate, "  %.1fk tok/s  %s", p.tokensPerSecond / 1e3,
            formatBytes(p.memoryBytes).c_str());
        line += rate;
    } else {
        line = phase;
        if (p.total > 0)
            line += " " + std::to_string(p.done) + "/" + std::to_string(p.total);
    }
    std::fprintf(stderr, m_terminal ? "\r\033[K%s" : "%s\n", line.c_str());
    std::fflush(stderr);
    m_open = m_terminal;
}

void ConsoleListener::notice(const std::string& sentence) {
    endLine();
    std::fprintf(stderr, "note: %s\n", sentence.c_str());
}

void ConsoleListener::trains(const TrainableTable& table) {
    m_table = table;
    if (m_quiet)
        return;
    endLine();
    std::fprintf(stderr, "trainable parameters:\n%s", tableText(table).c_str());
}

void ConsoleListener::opened(const std::string& folder) {
    if (!m_quiet)
        std::fprintf(stderr, "%srun folder: %s\n", m_open ? "\n" : "", folder.c_str());
    m_open = false;
}

} // namespace mooring::cli
