// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/evaluate/suggested_sampling.h"
#include "tests/core/text/tokenizer_folder.h"
#include <gmock/gmock.h>

namespace mooring {
namespace {

using testing::HasSubstr;
using testing::Not;

TEST(SuggestedSampling, IsNamedWhereItIsNotWhatScoringDoes) {
    const TokenizerFolder folder;
    EvaluateConfig evaluate;
    evaluate.tasks.resize(1);
    EXPECT_EQ(suggestedSampling(folder.path(), evaluate), "");
    folder.writeJson("generation_config.json",
        {{"temperature", 0.6}, {"top_p", 0.95}, {"top_k", 20}, {"repetition_penalty", 1.0}});
    EXPECT_THAT(suggestedSampling(folder.path(), evaluate),
        HasSubstr("suggests temperature 0.6, top_p 0.95, top_k 20;"));
    evaluate.temperature = 0.6;
    evaluate.topP = 0.95;
    EXPECT_THAT(suggestedSampling(folder.path(), evaluate), HasSubstr("suggests top_k 20;"));
    evaluate.tasks.clear();
    EXPECT_EQ(suggestedSampling(folder.path(), evaluate), "");
}

} // namespace
} // namespace mooring
