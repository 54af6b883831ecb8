// SPDX-License-Identifier: GPL-3.0-or-later
// The method section of the New run form: the method with its values and penalties, its details,
// and planned changes.
#pragma once
#include "app/window/newrun/config_fields.h"
#include "app/window/newrun/method_effects.h"

namespace mooring {

class TermsEditor;
class TokenCount;

// Lives in the GUI thread with its form.
class MethodFields : public QObject {
    Q_OBJECT
public:
    explicit MethodFields(ConfigFields* fields); // adds the rows

    void fill(const RunConfig& config);
    void read(RunConfig& config) const; // its keys; others stay
    // Number fields without a valid number, lines that cannot be parsed.
    std::vector<ConfigProblem> problems() const;
    // Disables what has no effect in this configuration; notes follow the values.
    void follow(const RunConfig& config);

    TermsEditor* terms() const { return m_terms; }

private:
    void addDetails();
    void addClipping();
    QComboBox* addDetail(const std::string& key, const QString& label, const QString& tip,
        std::initializer_list<std::pair<const char*, QString>> choices);
    void fillValues(const std::string& id); // beta and strength, for this method
    void methodChosen();
    QString detailsSummary(const RunConfig& config) const;
    void noteDetails(const RunConfig& config);

    ConfigFields* m_fields;
    RunConfig m_config; // as filled in
    std::optional<RoutingShape> m_shape;
    TokenCount* m_tokens;

    QComboBox* m_method = nullptr;
    QLineEdit* m_beta = nullptr;
    QLineEdit* m_strength = nullptr;
    TermsEditor* m_terms = nullptr;
    Fold* m_details = nullptr;
    std::map<std::string, QComboBox*> m_choices; // details by key
    QLineEdit* m_clipNorm = nullptr;
    QLineEdit* m_gateBias = nullptr;
    QPlainTextEdit* m_schedule = nullptr;
};

} // namespace mooring
