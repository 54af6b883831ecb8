// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/command.h"
#include "core/files/atomic_folder.h"
#include "core/measure/forward_file.h"
#include <cstdio>

namespace mooring::cli {

namespace {

Result<std::vector<std::vector<std::int32_t>>> readIds(const std::string& path) {
    MOORING_TRY(const auto text, readFile(path));
    const auto json = nlohmann::json::parse(text, nullptr, false);
    const Error wrong{
        ErrorCode::Input, "is not a list of lists of token ids", path, "write [[1, 2, 3], [4, 5]]"};
    if (!json.is_array())
        return wrong;
    std::vector<std::vector<std::int32_t>> rows;
    for (const auto& row : json) {
        if (!row.is_array() || row.empty())
            return wrong;
        auto& ids = rows.emplace_back();
        for (const auto& id : row) {
            if (!id.is_number_integer() || id < 0 || id > 0x7fffffff)
                return wrong;
            ids.push_back(id.get<std::int32_t>());
        }
    }
    return rows;
}

} // namespace

void addForward(CLI::App& app, Invocation& invocation) {
    auto* command = newCommand(app, invocation, "forward",
        "write logits, routing, loss and gradients of token rows to a file",
        "mooring-cli forward MODEL --ids ids.json --out F.safetensors --grads");
    auto options = std::make_shared<ForwardOptions>();
    auto ids = std::make_shared<std::string>();
    command->add_option("model", options->model, "model folder")->required();
    command->add_option("--ids", *ids, "JSON file: [[int, ..], ..]")->required();
    command->add_option("--out", options->out, "safetensors file to write")->required();
    command->add_option("--adapter", options->adapter, "folder of a PEFT adapter to apply");
    command->add_flag("--grads", options->grads, "also the gradients of the loss");
    command->add_option("--compute", options->compute, "fp32 or bf16")
        ->check(CLI::IsMember({"fp32", "bf16"}));
    command->add_option("--device", options->device, "cpu or cuda:0");
    command->callback([&invocation, options, ids] {
        invocation.needsEngine = true;
        invocation.work = [&invocation, options, ids]() -> Result<void> {
            MOORING_RETURN_IF_ERROR(checkDevice(options->device));
            MOORING_TRY(options->ids, readIds(*ids));
            options->notice = printNotice;
            MOORING_RETURN_IF_ERROR(forwardToFile(*options));
            if (invocation.json)
                std::printf("%s\n", nlohmann::json{{"out", options->out.string()}}.dump().c_str());
            return {};
        };
    });
}

} // namespace mooring::cli
