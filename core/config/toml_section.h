// SPDX-License-Identifier: GPL-3.0-or-later
// Reads TOML tables key by key. A key that was never read is unknown, so the readers are the only
// list of keys.
#pragma once
#include "core/base/result.h"
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <toml++/toml.h>
#include <vector>

namespace mooring {

// A layer of the configuration: a preset, the file, or the overrides of a command line.
struct Layer {
    toml::table table;
    std::string name; // how errors name it
    std::filesystem::path folder; // relative paths start here
};

// Layers that come from a command line carry this before the key as their name.
inline constexpr std::string_view kOverridePrefix = "--set ";

// "run.toml, line 12, optimizer.lr" or "--set optimizer.lr".
std::string placeText(
    const toml::source_region& region, const std::string& layerName, const std::string& key);

// What reading one layer finds: the first mistake, the keys that exist and those that do not.
class Reading {
public:
    explicit Reading(const Layer& layer)
        : m_layer(layer) { }

    void fail(const toml::source_region& region, const std::string& key, std::string what,
        std::string hint = {});
    void know(const std::string& key) { m_known.push_back(key); }
    void unknown(const std::string& key, const toml::source_region& region);
    std::string absolutePath(const std::string& path) const;
    Result<void> finish() const;

private:
    struct UnknownKey {
        std::string key;
        toml::source_region region;
    };
    Error unknownKeyError(const UnknownKey& unknown) const;

    const Layer& m_layer;
    std::vector<std::string> m_known;
    std::vector<UnknownKey> m_unknown;
    std::optional<Error> m_error;
};

// One table. Each call reads a key if it is there and says whether it was read.
class Section {
public:
    Section(Reading& reading, const toml::table& table, std::string path);
    ~Section(); // reports the keys that were never read
    Section(const Section&) = delete;
    Section& operator=(const Section&) = delete;

    bool has(const char* key) const { return m_table.contains(key); }
    bool text(const char* key, std::string& out);
    bool path(const char* key, std::string& out);
    bool number(const char* key, double& out);
    bool number(const char* key, std::optional<double>& out);
    bool integer(const char* key, std::int64_t& out);
    bool integer(const char* key, int& out);
    bool flag(const char* key, bool& out);
    const toml::node* node(const char* key); // any type
    void table(const char* key, const std::function<void(Section&)>& read);

    using ReadElement = std::function<void(const toml::node&, const std::string& path)>;
    bool list(const char* key, const ReadElement& read);
    bool tables(const char* key, const std::function<void(Section&)>& read);

    Reading& reading() { return m_reading; }
    const std::string& name() const { return m_path; }
    std::string keyPath(const char* key) const;
    void wrongType(const toml::node& node, const std::string& path, const char* wanted);
    // A path that stands as a list's element.
    bool pathElement(const toml::node& node, const std::string& path, std::string& out);

private:
    Reading& m_reading;
    const toml::table& m_table;
    std::string m_path;
    std::vector<std::string> m_asked;
};

} // namespace mooring
