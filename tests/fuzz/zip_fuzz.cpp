// SPDX-License-Identifier: GPL-3.0-or-later
// A snapshot as one file: nothing may be written outside the folder it is unpacked into.
#include "app/archive/zip_archive.h"
#include "tests/fuzz/fuzz_folder.h"
#include <cstdlib>

namespace {

class NoSteps : public mooring::JobSteps {
public:
    bool at(const QString&, qint64, qint64) override { return true; }
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace mooring;
    fuzz::folder().clear();
    const auto zip = fuzz::folder().write("zip/s.mooring.zip", fuzz::textOf(data, size));
    const auto out = fuzz::folder().path() / "out" / "inner";
    std::filesystem::create_directories(out);
    NoSteps steps;
    const ZipLimits limits{20, 1 << 20, 1 << 20};
    (void)unzipInto(
        QString::fromStdString(zip.string()), QString::fromStdString(out.string()), steps, limits);
    const auto only = [](const std::filesystem::path& path, const char* name) {
        for (const auto& entry : std::filesystem::directory_iterator(path))
            if (entry.path().filename() != name)
                std::abort();
    };
    only(fuzz::folder().path() / "out", "inner");
    only(fuzz::folder().path() / "zip", "s.mooring.zip");
    return 0;
}
