// SPDX-License-Identifier: GPL-3.0-or-later
// Training data: files -> rows -> tokens. Bad, empty and too long rows are counted, named and kept
// in the list of dropped rows, never silently skipped.
#pragma once
#include "core/config/run_config.h"
#include "core/text/render.h"
#include <functional>

namespace mooring {

// A row that can be trained on. `weight` is the loss weight of each token as a target: 1 on A and
// on `text` rows, question_weight on Q of chat rows, 0 at position 0.
struct Sample {
    std::int64_t row = 0; // over all files in order, dropped rows counted
    std::vector<std::int32_t> ids;
    std::vector<std::uint8_t> span; // 0 Q, 1 A
    std::vector<float> weight;
    std::int64_t length() const { return static_cast<std::int64_t>(ids.size()); }
};

struct DroppedRow {
    std::int64_t row = 0;
    std::string file;
    std::int64_t line = 0; // 1-based line of a JSONL file, 1-based element of a JSON array
    std::string reason;
};

struct SampleSet {
    std::int64_t rows = 0; // N, dropped rows counted
    std::vector<Sample> samples; // by ascending row
    std::vector<DroppedRow> dropped;
    std::vector<std::string> notices; // counts of doubled BOS, special text in content, truncation
    std::string contentHash; // over ids, spans and weights of all rows
    std::int64_t tokens() const;
    std::int64_t supervisedTokens() const;
};

// A row of a file with its place, or the reason why it is none.
struct SourceRow {
    std::string file;
    std::int64_t line = 0;
    std::optional<Row> row;
    std::string problem;
};

// Reads .jsonl (row by row), .json (an array) and .txt (one text a line; `text` rows), by the rules
// of interfaces.md section 6. The callback returns false to stop. An unreadable file, a preference
// or tokenised data set is an Error (Input) that says so; a broken row is a SourceRow with a
// problem.
Result<void> readRows(const DataFile& file, const std::function<bool(SourceRow)>& take);

struct SampleOptions {
    std::int64_t maxLength = 0; // 0: no limit
    bool truncate = false;
    double questionWeight = 0;
};

// Errors (Input): a file cannot be read; every row was dropped (the first reasons are named).
Result<SampleSet> loadSamples(
    const std::vector<DataFile>& files, const Renderer& renderer, const SampleOptions& options);

// The texts of a probe set as token rows, whole texts in file order until `tokens` tokens are
// reached (the last one is cut). Offsets into `text` give the bytes of every token.
struct ProbeText {
    std::string text;
    std::vector<Token> tokens;
    std::vector<std::uint8_t> span;
};
Result<std::vector<ProbeText>> loadProbeTexts(const std::vector<std::string>& files,
    const Renderer& renderer, std::int64_t tokens, std::int64_t maxLength);

// Splits off the last `fraction` of a seeded order as held-out samples (at least one sample on each
// side).
struct Split {
    std::vector<Sample> train;
    std::vector<Sample> heldOut;
};
Split splitHeldOut(std::vector<Sample> samples, double fraction, std::uint64_t seed);

// The order of samples: epochs laid end to end, each a seeded permutation (or file order), batches
// cross their borders. Depends on (seed, epoch) alone, so that a cursor is one number.
class SampleOrder {
public:
    SampleOrder(std::size_t samples, std::uint64_t seed, bool shuffle);
    std::size_t at(std::uint64_t position) const; // index into the sample list

private:
    std::size_t m_samples;
    std::uint64_t m_seed;
    bool m_shuffle;
    mutable std::uint64_t m_epoch = ~0ull;
    mutable std::vector<std::uint32_t> m_permutation;
};

} // namespace mooring
