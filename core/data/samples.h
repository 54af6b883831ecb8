// SPDX-License-Identifier: GPL-3.0-or-later
// Training data: files -> rows -> tokens. Bad, empty and overlong rows are counted and listed as
// dropped, never silently skipped.
#pragma once
#include "core/config/run_config.h"
#include "core/text/render.h"
#include <functional>

namespace mooring {

// Tokens that follow each other with one span and one loss weight.
struct TokenRun {
    std::int64_t tokens = 0;
    std::uint8_t span = 0; // 0 Q, 1 A
    float weight = 0; // of each of the tokens as a target
};

// A row that can be trained on, held compactly (four bytes per token). A weight is 1 on A and on
// `text` rows, question_weight on Q of chat rows, 0 at position 0.
struct Sample {
    std::int64_t row = 0; // over all files in order, dropped rows counted
    std::vector<std::int32_t> ids;
    std::vector<TokenRun> runs; // together as many tokens as ids
    std::int64_t length() const { return static_cast<std::int64_t>(ids.size()); }
    std::vector<std::uint8_t> spans() const; // one a token
    std::vector<float> weights() const;
    std::int64_t supervised() const; // tokens with a weight above 0
};
Sample makeSample(std::int64_t row, std::vector<std::int32_t> ids,
    const std::vector<std::uint8_t>& spans, const std::vector<float>& weights);

struct DroppedRow {
    std::int64_t row = 0;
    std::string file;
    std::int64_t line = 0; // 1-based line of a JSONL file, 1-based element of a JSON array
    std::string reason;
};

struct SampleSet {
    std::int64_t rows = 0; // N, dropped rows counted
    std::vector<std::int64_t> fileRows; // the number of each file's first row, and N at the end
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
    std::size_t fileIndex = 0; // where several files are read
};

// Reads .jsonl, .json (a list), .csv, .tsv, .parquet and .txt (one text a line; `text` rows), in
// constant memory, by the rules of docs/formats.md#data-files. The callback returns false to stop.
// An unreadable file, a preference or tokenized data set is an Error (Input) that says so; a broken
// row is a SourceRow with a problem.
Result<void> readRows(const DataFile& file, const std::function<bool(SourceRow)>& take);

// How far reading is, over all files.
struct ReadProgress {
    std::int64_t bytes = 0;
    std::int64_t totalBytes = 0;
    std::int64_t rows = 0;
};
std::int64_t totalBytes(const std::vector<DataFile>& files); // 0 for what is not there

struct ReadOptions {
    int threads = 0; // 0: all cores; the rows are the same for any number
    std::function<bool(const ReadProgress&)> progress; // false: stop; called often
};

struct SampleOptions {
    std::int64_t maxLength = 0; // 0: no limit
    bool truncate = false;
    double questionWeight = 0;
};

// Errors (Input): a file cannot be read; every row was dropped (the first reasons are named).
// Interrupted: progress said so.
Result<SampleSet> loadSamples(const std::vector<DataFile>& files, const Renderer& renderer,
    const SampleOptions& options, const ReadOptions& read = {});

// The texts of a probe set as token rows, whole texts in file order until `tokens` tokens are
// reached (the last one is cut). Offsets into `text` give the bytes of every token.
struct ProbeText {
    std::string text;
    std::vector<Token> tokens;
    std::vector<std::uint8_t> span;
};
Result<std::vector<ProbeText>> loadProbeTexts(const std::vector<std::string>& files,
    const Renderer& renderer, std::int64_t tokens, std::int64_t maxLength);

// Splits off the last `fraction` of a seeded order as held-out samples (at least one on each
// side).
struct Split {
    std::vector<Sample> train;
    std::vector<Sample> heldOut;
};
Split splitHeldOut(std::vector<Sample> samples, double fraction, std::uint64_t seed);

// Which samples an epoch holds: files may count more or less than once (`weight` of data.train).
struct MixPart {
    std::size_t begin = 0; // into the sample list
    std::size_t count = 0;
    double weight = 1;
};
// The parts of each file's samples; `samples` by ascending row.
std::vector<MixPart> mixOf(const std::vector<Sample>& samples,
    const std::vector<std::int64_t>& fileRows, const std::vector<DataFile>& files);

// The order of samples: epochs laid end to end, each a seeded permutation (or file order), batches
// cross their borders. A part of weight w gives each epoch every sample floor(w) times and a
// further round((w - floor(w)) count) of them, by turns, so that all come round; at least one.
// Depends on (seed, epoch) alone, so that a cursor is one number.
class SampleOrder {
public:
    SampleOrder(std::size_t samples, std::uint64_t seed, bool shuffle)
        : SampleOrder({{0, samples, 1.0}}, seed, shuffle) { }
    SampleOrder(std::vector<MixPart> parts, std::uint64_t seed, bool shuffle);
    std::size_t at(std::uint64_t position) const; // index into the sample list
    std::size_t epochSize() const { return m_size; } // N of docs/methods.md#epochs-and-order

private:
    void layOut(std::uint64_t epoch) const;

    std::vector<MixPart> m_parts;
    std::vector<std::vector<std::uint32_t>> m_turns; // the seeded order of each part with a rest
    std::size_t m_size = 0;
    std::uint64_t m_seed;
    bool m_shuffle;
    mutable std::uint64_t m_epoch = ~0ull;
    mutable std::vector<std::uint32_t> m_order; // of m_epoch
};

} // namespace mooring
