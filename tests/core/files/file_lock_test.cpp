// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/atomic_folder.h"
#include "tests/core/files/test_files.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

namespace mooring {
namespace {

using ::testing::HasSubstr;

TEST(FileLock, IsHeldWhileItLivesAndNoLonger) {
    test::TemporaryFolder folder;
    const auto path = folder / "run.lock";
    EXPECT_FALSE(FileLock::isHeld(path));
    {
        auto lock = FileLock::acquire(path);
        ASSERT_TRUE(lock.ok());
        const FileLock moved = std::move(lock).value();
        EXPECT_TRUE(FileLock::isHeld(path));
    }
    EXPECT_FALSE(FileLock::isHeld(path));
    EXPECT_TRUE(FileLock::acquire(path).ok());
}

TEST(FileLock, ASecondHolderIsAnOutputErrorThatNamesTheFile) {
    test::TemporaryFolder folder;
    const auto lock = FileLock::acquire(folder / "run.lock");
    ASSERT_TRUE(lock.ok());
    const auto second = FileLock::acquire(folder / "run.lock");
    ASSERT_FALSE(second.ok());
    EXPECT_EQ(second.error().code, ErrorCode::Output);
    EXPECT_THAT(second.error().message(), HasSubstr("run.lock"));
}

TEST(FileLock, EndsWithItsProcessEvenWhereThatIsKilled) {
    test::TemporaryFolder folder;
    const auto path = folder / "run.lock";
    int ready[2];
    ASSERT_EQ(::pipe(ready), 0);
    const pid_t child = ::fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
        const auto lock = FileLock::acquire(path);
        const char byte = lock.ok() ? 'y' : 'n';
        if (::write(ready[1], &byte, 1) == 1)
            ::pause();
        ::_exit(1);
    }
    char byte = 0;
    ASSERT_EQ(::read(ready[0], &byte, 1), 1);
    EXPECT_EQ(byte, 'y');
    EXPECT_TRUE(FileLock::isHeld(path));
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
    EXPECT_FALSE(FileLock::isHeld(path));
    ::close(ready[0]);
    ::close(ready[1]);
}

} // namespace
} // namespace mooring
