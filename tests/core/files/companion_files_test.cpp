// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/model_folder.h"
#include "tests/core/files/test_files.h"
#include <gtest/gtest.h>

namespace mooring {
namespace {

namespace fs = std::filesystem;
using test::put;

TEST(CopyCompanionFiles, CopiesEverythingSmallThatIsNoWeightAndFollowsLinks) {
    test::TemporaryFolder from;
    test::TemporaryFolder to;
    put(from / "config.json", "{\"a\": 1}\r\n");
    put(from / "model.safetensors.index.json", "{}");
    fs::create_directory(from / "blobs");
    put(from / "blobs/77", "{{ x }}");
    fs::create_symlink("blobs/77", from / "chat_template.jinja");
    fs::create_symlink("blobs/absent", from / "broken.json");
    for (const char* name :
        {"model.safetensors", "training_args.bin", "x.pt", "x.gguf", "manifest.json"})
        put(from / name, "x");
    fs::resize_file(put(from / "large.txt", ""), 64'000'000); // sparse
    put(to / "config.json", "old");
    ASSERT_TRUE(copyCompanionFiles(from.path(), to.path()).ok());
    EXPECT_EQ(test::get(to / "config.json"), "{\"a\": 1}\r\n");
    EXPECT_EQ(test::get(to / "model.safetensors.index.json"), "{}");
    EXPECT_EQ(test::get(to / "chat_template.jinja"), "{{ x }}");
    EXPECT_FALSE(fs::is_symlink(to / "chat_template.jinja"));
    EXPECT_EQ(test::entriesOf(to.path()), 3u);
}

TEST(CopyCompanionFiles, FoldersThatAreMissingAreErrors) {
    test::TemporaryFolder folder;
    EXPECT_EQ(copyCompanionFiles(folder / "absent", folder.path()).error().code, ErrorCode::Input);
    put(folder / "f", "x");
    EXPECT_EQ(copyCompanionFiles(folder.path(), folder / "absent").error().code, ErrorCode::Output);
}

} // namespace
} // namespace mooring
