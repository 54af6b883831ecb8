// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/base/demo.h"
#include "core/config/presets.h"
#include <QStandardPaths>

namespace mooring {

namespace fs = std::filesystem;

std::string userRunsFolder() {
    const QString data = QStandardPaths::writableLocation(QStandardPaths::AppDataLocation);
    return data.toStdString() + "/runs";
}

Result<RunConfig> demoConfig() {
    std::error_code absent;
    for (const fs::path& folder : resourceFolders()) {
        const fs::path file = folder / "demo" / "run.toml";
        if (!fs::is_regular_file(file, absent))
            continue;
        MOORING_TRY(RunConfig config, loadRunConfig(file));
        if (!config.model.path.empty()
            && !fs::is_regular_file(config.model.path + "/model.safetensors", absent))
            return Error{ErrorCode::Input, "the demo's model has no weights", config.model.path,
                "make it with resources/demo/recipe/make, or reinstall the demo"};
        config.run.out = userRunsFolder() + "/" + config.run.name;
        return config;
    }
    return Error{ErrorCode::Input, "the demo is not installed", "resources/demo",
        "set MOORING_RESOURCES to the folder that contains demo/"};
}

} // namespace mooring
