<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE" sourcelanguage="en">
<context>
    <name>QObject</name>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>on</source>
        <translation>an</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>learning rate ×</source>
        <translation>Lernrate ×</translation>
    </message>
    <message>
        <source>lr ×</source>
        <translation>LR ×</translation>
    </message>
    <message>
        <source>over 1 step</source>
        <translation>über 1 Schritt</translation>
    </message>
    <message>
        <source>over %1 steps</source>
        <translation>über %1 Schritte</translation>
    </message>
    <message>
        <source> (planned)</source>
        <translation> (geplant)</translation>
    </message>
    <message>
        <source> (control file)</source>
        <translation> (Steuerdatei)</translation>
    </message>
    <message>
        <source>all, pooled</source>
        <translation>alle, zusammen</translation>
    </message>
    <message>
        <source>Source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>&amp;Probe, bias-free</source>
        <translation>&amp;Messung, ohne Bias</translation>
    </message>
    <message>
        <source>Held-out tokens without the bias; the metrics are defined on these</source>
        <translation>Held-out-Tokens ohne Bias; auf ihnen sind die Kennzahlen definiert</translation>
    </message>
    <message>
        <source>Trainin&amp;g tokens, with bias</source>
        <translation>&amp;Trainingstokens, mit Bias</translation>
    </message>
    <message>
        <source>This step&apos;s batch with the bias in force, compared with the base&apos;s stored choices</source>
        <translation>Der Batch dieses Schritts mit dem geltenden Bias, verglichen mit der gespeicherten Wahl der Basis</translation>
    </message>
    <message>
        <source>probe, bias-free</source>
        <translation>Messung, ohne Bias</translation>
    </message>
    <message>
        <source>training tokens, with bias</source>
        <translation>Trainingstokens, mit Bias</translation>
    </message>
    <message>
        <source>F&amp;it</source>
        <translation>&amp;Anpassen</translation>
    </message>
    <message>
        <source>Fit the colors to the shown values (F)</source>
        <translation>Die Farben an die gezeigten Werte anpassen (F)</translation>
    </message>
    <message>
        <source>&amp;Lock</source>
        <translation>&amp;Sperren</translation>
    </message>
    <message>
        <source>Lock this range for all runs (L, or click the legend)</source>
        <translation>Diesen Bereich für alle Läufe sperren (L oder Klick auf die Legende)</translation>
    </message>
    <message>
        <source>all domains</source>
        <translation>alle Domänen</translation>
    </message>
    <message>
        <source>domain %1</source>
        <translation>Domäne %1</translation>
    </message>
    <message>
        <source>not measured yet</source>
        <translation>noch nicht gemessen</translation>
    </message>
    <message>
        <source>this method has no bias</source>
        <translation>diese Methode hat keinen Bias</translation>
    </message>
    <message>
        <source>no penalty in this run</source>
        <translation>kein Strafterm in diesem Lauf</translation>
    </message>
    <message>
        <source>no values in these steps</source>
        <translation>keine Werte in diesen Schritten</translation>
    </message>
    <message>
        <source>Cross-entropy</source>
        <translation>Kreuzentropie</translation>
    </message>
    <message>
        <source>nats per token</source>
        <translation>Nats je Token</translation>
    </message>
    <message>
        <source>Overlap with the base router</source>
        <translation>Überlappung mit dem Basis-Router</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>Gradient norm</source>
        <translation>Gradientennorm</translation>
    </message>
    <message>
        <source>before clipping</source>
        <translation>vor dem Clipping</translation>
    </message>
    <message>
        <source>TVD of utilization</source>
        <translation>TVD der Auslastung</translation>
    </message>
    <message>
        <source>Router drift</source>
        <translation>Router-Drift</translation>
    </message>
    <message>
        <source>Penalties</source>
        <translation>Strafterme</translation>
    </message>
    <message>
        <source>nats, as added to the loss</source>
        <translation>Nats, wie zum Verlust addiert</translation>
    </message>
    <message>
        <source>Penalties, raw</source>
        <translation>Strafterme, roh</translation>
    </message>
    <message>
        <source>before their strength</source>
        <translation>vor ihrer Stärke</translation>
    </message>
    <message>
        <source>Strengths</source>
        <translation>Stärken</translation>
    </message>
    <message>
        <source>Learning rate</source>
        <translation>Lernrate</translation>
    </message>
    <message>
        <source>Clip factor</source>
        <translation>Clip-Faktor</translation>
    </message>
    <message>
        <source>1: not clipped</source>
        <translation>1: nicht gekürzt</translation>
    </message>
    <message>
        <source>Community NMI</source>
        <translation>Community-NMI</translation>
    </message>
    <message>
        <source>not an objective</source>
        <translation>kein Ziel</translation>
    </message>
    <message>
        <source>train</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>held-out</source>
        <translation>Held-out</translation>
    </message>
    <message>
        <source>as trained</source>
        <translation>wie trainiert</translation>
    </message>
    <message>
        <source>without router</source>
        <translation>ohne Router</translation>
    </message>
    <message>
        <source>router</source>
        <translation>Router</translation>
    </message>
    <message>
        <source>rho %1, seed %2</source>
        <translation>rho %1, Seed %2</translation>
    </message>
    <message>
        <source>runs with a different rho or resolution are left out</source>
        <translation>Läufe mit anderem rho oder anderer Auflösung sind weggelassen</translation>
    </message>
    <message>
        <source>as trained: held-out, with the method&apos;s routing</source>
        <translation>wie trainiert: Held-out, mit dem Routing der Methode</translation>
    </message>
    <message>
        <source>correction biases move %1 per step</source>
        <translation>Korrektur-Biases ändern sich um %1 je Schritt</translation>
    </message>
    <message>
        <source>%1 edges</source>
        <translation>%1 Kanten</translation>
    </message>
    <message>
        <source>base community</source>
        <translation>Basis-Community</translation>
    </message>
    <message>
        <source>ring: tuned community, if moved</source>
        <translation>Ring: trainierte Community, falls gewechselt</translation>
    </message>
    <message>
        <source>size: utilization</source>
        <translation>Größe: Auslastung</translation>
    </message>
    <message>
        <source>line: tokens routed to both</source>
        <translation>Linie: zu beiden geleitete Tokens</translation>
    </message>
    <message>
        <source>1 cell out of range</source>
        <translation>1 Zelle außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>%1 cells out of range</source>
        <translation>%1 Zellen außerhalb des Bereichs</translation>
    </message>
    <message>
        <source>%1, from step %2</source>
        <translation>%1, ab Schritt %2</translation>
    </message>
    <message>
        <source>%1 %2, from step %3</source>
        <translation>%1 %2, ab Schritt %3</translation>
    </message>
    <message>
        <source>%1 %  (%2 %3)</source>
        <translation>%1 %  (%2 %3)</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
</context>
<context>
    <name>mooring::Actions</name>
    <message>
        <source>Resume</source>
        <translation>Fortsetzen</translation>
    </message>
    <message>
        <source>S&amp;tart</source>
        <translation>S&amp;tarten</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>&amp;New run...</source>
        <translation>&amp;Neuer Lauf...</translation>
    </message>
    <message>
        <source>Choose model, data and method</source>
        <translation>Modell, Daten und Methode wählen</translation>
    </message>
    <message>
        <source>Try the &amp;demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>A small run, ready to start</source>
        <translation>Ein kleiner Lauf, startbereit</translation>
    </message>
    <message>
        <source>Open &amp;model...</source>
        <translation>&amp;Modell öffnen...</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>Einen Modellordner öffnen</translation>
    </message>
    <message>
        <source>Open d&amp;ata...</source>
        <translation>D&amp;aten öffnen...</translation>
    </message>
    <message>
        <source>Open a training data file</source>
        <translation>Eine Datei mit Trainingsdaten öffnen</translation>
    </message>
    <message>
        <source>&amp;Open run or snapshot folder...</source>
        <translation>Lauf- oder Snapshot-&amp;Ordner öffnen...</translation>
    </message>
    <message>
        <source>A run folder, live or finished, or a snapshot folder</source>
        <translation>Ein Laufordner, live oder abgeschlossen, oder ein Snapshot-Ordner</translation>
    </message>
    <message>
        <source>Open snapshot &amp;zip or configuration...</source>
        <translation>Snapshot-&amp;Zip oder Konfiguration öffnen...</translation>
    </message>
    <message>
        <source>A .mooring.zip or a run configuration (.toml)</source>
        <translation>Eine .mooring.zip oder eine Laufkonfiguration (.toml)</translation>
    </message>
    <message>
        <source>Open &amp;recent</source>
        <translation>Zuletzt &amp;geöffnet</translation>
    </message>
    <message>
        <source>&amp;Export snapshot...</source>
        <translation>Snapshot &amp;exportieren...</translation>
    </message>
    <message>
        <source>Routing, tables, graphs and plots in one .mooring.zip</source>
        <translation>Routing, Tabellen, Graphen und Diagramme in einer .mooring.zip</translation>
    </message>
    <message>
        <source>&amp;Close run</source>
        <translation>Lauf s&amp;chließen</translation>
    </message>
    <message>
        <source>Remove it from the list; its files stay</source>
        <translation>Aus der Liste nehmen; seine Dateien bleiben</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Close the window</source>
        <translation>Das Fenster schließen</translation>
    </message>
    <message>
        <source>&amp;Run</source>
        <translation>&amp;Lauf</translation>
    </message>
    <message>
        <source>Start the run that is ready, or continue after a pause</source>
        <translation>Den startbereiten Lauf starten oder nach einer Pause weitermachen</translation>
    </message>
    <message>
        <source>&amp;Pause</source>
        <translation>&amp;Pause</translation>
    </message>
    <message>
        <source>Pause at the next step (Space in a view)</source>
        <translation>Beim nächsten Schritt anhalten (Leertaste in einer Ansicht)</translation>
    </message>
    <message>
        <source>St&amp;op</source>
        <translation>St&amp;opp</translation>
    </message>
    <message>
        <source>Finish the step, save and stop</source>
        <translation>Den Schritt beenden, speichern und aufhören</translation>
    </message>
    <message>
        <source>One s&amp;tep</source>
        <translation>Ein &amp;Schritt</translation>
    </message>
    <message>
        <source>Run one optimizer step of a paused run</source>
        <translation>Ein Optimiererschritt eines angehaltenen Laufs</translation>
    </message>
    <message>
        <source>Resume from the last &amp;checkpoint</source>
        <translation>Vom &amp;letzten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>Resume a stopped or interrupted run</source>
        <translation>Einen gestoppten oder unterbrochenen Lauf fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Fork...</source>
        <translation>&amp;Fork...</translation>
    </message>
    <message>
        <source>Start a new run from one of this run&apos;s checkpoints, with different settings</source>
        <translation>Ein neuer Lauf ab einem Checkpoint dieses Laufs, mit anderen Einstellungen</translation>
    </message>
    <message>
        <source>&amp;Undo the last change</source>
        <translation>Letzte Änderung &amp;rückgängig machen</translation>
    </message>
    <message>
        <source>Take back the newest live change</source>
        <translation>Die neueste Live-Änderung zurücknehmen</translation>
    </message>
    <message>
        <source>S&amp;napshot</source>
        <translation>S&amp;napshot</translation>
    </message>
    <message>
        <source>Save the run&apos;s current state as a .mooring.zip</source>
        <translation>Den jetzigen Zustand des Laufs als .mooring.zip speichern</translation>
    </message>
    <message>
        <source>&amp;Checkpoint</source>
        <translation>&amp;Checkpoint</translation>
    </message>
    <message>
        <source>Save weights and optimizer state now</source>
        <translation>Gewichte und Optimiererzustand jetzt speichern</translation>
    </message>
    <message>
        <source>&amp;Evaluate</source>
        <translation>&amp;Evaluieren</translation>
    </message>
    <message>
        <source>Score the model on the tasks of the run</source>
        <translation>Das Modell auf den Aufgaben des Laufs bewerten</translation>
    </message>
    <message>
        <source>Generate answers to a few held-out prompts</source>
        <translation>Antworten auf einige Held-out-Prompts erzeugen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Previous frame</source>
        <translation>&amp;Vorherige Messung</translation>
    </message>
    <message>
        <source>The previous probe frame</source>
        <translation>Die vorherige Routing-Messung</translation>
    </message>
    <message>
        <source>Ne&amp;xt frame</source>
        <translation>&amp;Nächste Messung</translation>
    </message>
    <message>
        <source>The next probe frame</source>
        <translation>Die nächste Routing-Messung</translation>
    </message>
    <message>
        <source>Follow the &amp;latest frame</source>
        <translation>Der &amp;letzten Messung folgen</translation>
    </message>
    <message>
        <source>Show every new frame</source>
        <translation>Jede neue Messung zeigen</translation>
    </message>
    <message>
        <source>&amp;Docks</source>
        <translation>&amp;Docks</translation>
    </message>
    <message>
        <source>&amp;Reset the layout</source>
        <translation>Layout &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Move all docks back to their default places</source>
        <translation>Alle Docks an ihren Standardplatz zurücksetzen</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>D&amp;esign</translation>
    </message>
    <message>
        <source>Same as &amp;desktop</source>
        <translation>Wie der &amp;Desktop</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dar&amp;k</source>
        <translation>Dun&amp;kel</translation>
    </message>
    <message>
        <source>Lan&amp;guage</source>
        <translation>S&amp;prache</translation>
    </message>
    <message>
        <source>&amp;Commands...</source>
        <translation>&amp;Befehle...</translation>
    </message>
    <message>
        <source>Find any command by name</source>
        <translation>Jeden Befehl nach Namen finden</translation>
    </message>
    <message>
        <source>Show %1</source>
        <translation>%1 zeigen</translation>
    </message>
    <message>
        <source>&amp;Export</source>
        <translation>E&amp;xport</translation>
    </message>
    <message>
        <source>&amp;Copy the view</source>
        <translation>Ansicht &amp;kopieren</translation>
    </message>
    <message>
        <source>Copy image and numbers to the clipboard</source>
        <translation>Bild und Zahlen in die Zwischenablage</translation>
    </message>
    <message>
        <source>&amp;Table of the view</source>
        <translation>&amp;Tabelle der Ansicht</translation>
    </message>
    <message>
        <source>Show the same numbers as a table</source>
        <translation>Dieselben Zahlen als Zeilen und Spalten</translation>
    </message>
    <message>
        <source>View as &amp;PNG...</source>
        <translation>Ansicht als &amp;PNG...</translation>
    </message>
    <message>
        <source>Save an image of the view</source>
        <translation>Ein Bild der Ansicht</translation>
    </message>
    <message>
        <source>View as &amp;SVG...</source>
        <translation>Ansicht als &amp;SVG...</translation>
    </message>
    <message>
        <source>Save a vector drawing of the view</source>
        <translation>Eine Vektorzeichnung der Ansicht</translation>
    </message>
    <message>
        <source>View as P&amp;DF...</source>
        <translation>Ansicht als P&amp;DF...</translation>
    </message>
    <message>
        <source>Save the view as a page</source>
        <translation>Die Ansicht als Seite</translation>
    </message>
    <message>
        <source>View as CS&amp;V...</source>
        <translation>Ansicht als CS&amp;V...</translation>
    </message>
    <message>
        <source>Save the numbers of the view</source>
        <translation>Die Zahlen der Ansicht</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>&amp;Diagnostics</source>
        <translation>&amp;Diagnose</translation>
    </message>
    <message>
        <source>Show how quickly this window responds</source>
        <translation>Wie schnell dieses Fenster reagiert</translation>
    </message>
    <message>
        <source>&amp;About Mooring</source>
        <translation>Ü&amp;ber Mooring</translation>
    </message>
    <message>
        <source>Version and license</source>
        <translation>Version und Lizenz</translation>
    </message>
    <message>
        <source>Tools</source>
        <translation>Werkzeuge</translation>
    </message>
    <message>
        <source>Gener&amp;ate</source>
        <translation>&amp;Generieren</translation>
    </message>
</context>
<context>
    <name>mooring::Banner</name>
    <message>
        <source>Dismiss</source>
        <translation>Ausblenden</translation>
    </message>
    <message>
        <source>Dismiss this message</source>
        <translation>Diese Meldung ausblenden</translation>
    </message>
</context>
<context>
    <name>mooring::ChartBoard</name>
    <message>
        <source>Charts over steps</source>
        <translation>Diagramme über die Schritte</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>measured at %1</source>
        <translation>gemessen bei %1</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>change</source>
        <translation>Änderung</translation>
    </message>
</context>
<context>
    <name>mooring::CloseGuard</name>
    <message>
        <source>A run is training</source>
        <translation>Ein Lauf trainiert</translation>
    </message>
    <message>
        <source>%1 is still training.</source>
        <translation>%1 trainiert noch.</translation>
    </message>
    <message>
        <source>Stop finishes the step and saves. In the background, it trains to the end and then exits; its run folder can be opened in the meantime.</source>
        <translation>Stoppen beendet den Schritt und speichert. Im Hintergrund trainiert der Lauf bis zum Ende, dann beendet sich das Programm; sein Ordner lässt sich inzwischen öffnen.</translation>
    </message>
    <message>
        <source>&amp;Stop and save</source>
        <translation>&amp;Stoppen und speichern</translation>
    </message>
    <message>
        <source>&amp;Keep running in the background</source>
        <translation>Im &amp;Hintergrund weiterlaufen lassen</translation>
    </message>
    <message>
        <source>&amp;Cancel</source>
        <translation>&amp;Abbrechen</translation>
    </message>
    <message>
        <source>%1 is finishing its step and saving; then the window closes.</source>
        <translation>%1 beendet seinen Schritt und speichert; dann schließt sich das Fenster.</translation>
    </message>
</context>
<context>
    <name>mooring::CommandPalette</name>
    <message>
        <source>Commands</source>
        <translation>Befehle</translation>
    </message>
    <message>
        <source>Type part of a command</source>
        <translation>Einen Teil eines Befehls eingeben</translation>
    </message>
    <message>
        <source>Search for a command</source>
        <translation>Einen Befehl suchen</translation>
    </message>
    <message>
        <source>Commands found</source>
        <translation>Gefundene Befehle</translation>
    </message>
</context>
<context>
    <name>mooring::CommunitiesView</name>
    <message>
        <source>&amp;Stop layout</source>
        <translation>Layout an&amp;halten</translation>
    </message>
    <message>
        <source>&amp;Run layout</source>
        <translation>Layout &amp;starten</translation>
    </message>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message>
        <source>lift %1</source>
        <translation>Lift %1</translation>
    </message>
    <message>
        <source>%1 % of the tokens</source>
        <translation>%1 % der Tokens</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>%1: experts by base community</source>
        <translation>%1: Experten nach Basis-Community</translation>
    </message>
    <message>
        <source>lift (1: chance)</source>
        <translation>Lift (1: Zufall)</translation>
    </message>
    <message>
        <source>co-activation</source>
        <translation>Koaktivierung</translation>
    </message>
    <message>
        <source>base communities</source>
        <translation>Basis-Communities</translation>
    </message>
    <message>
        <source>same scale for both</source>
        <translation>beidseitig gleich</translation>
    </message>
    <message>
        <source>experts %1 and %2</source>
        <translation>Experten %1 und %2</translation>
    </message>
    <message>
        <source>communities %1, %2</source>
        <translation>Communities %1, %2</translation>
    </message>
    <message>
        <source>tuned</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>base</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>1 edge</source>
        <translation>1 Kante</translation>
    </message>
    <message>
        <source>%1 edges</source>
        <translation>%1 Kanten</translation>
    </message>
    <message>
        <source>%1, most with %2: %3</source>
        <translation>%1, am häufigsten mit %2: %3</translation>
    </message>
    <message>
        <source>tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>tuned, step %1</source>
        <translation>trainiert, Schritt %1</translation>
    </message>
    <message>
        <source>Moved experts</source>
        <translation>Gewechselte Experten</translation>
    </message>
    <message>
        <source>Moved experts: %1 of %2</source>
        <translation>Gewechselte Experten: %1 von %2</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>NMI %1</source>
        <translation>NMI %1</translation>
    </message>
    <message>
        <source> (ceiling %1, null %2)</source>
        <translation> (Obergrenze %1, Nullmodell %2)</translation>
    </message>
    <message>
        <source>Q %1, base %2</source>
        <translation>Q %1, Basis %2</translation>
    </message>
    <message>
        <source>Q of the base %1</source>
        <translation>Q der Basis %1</translation>
    </message>
    <message>
        <source> (null %1 ± %2, base margin %3)</source>
        <translation> (Nullmodell %1 ± %2, Abstand der Basis %3)</translation>
    </message>
    <message>
        <source>rho %1, resolution %2, detector seed %3</source>
        <translation>rho %1, Auflösung %2, Detektor-Seed %3</translation>
    </message>
    <message>
        <source>edges by lift, communities by co-activation</source>
        <translation>Kanten nach Lift, Communities nach Koaktivierung</translation>
    </message>
    <message>
        <source>  (finding those of rho %1, resolution %2 ...)</source>
        <translation>  (suche jene für rho %1, Auflösung %2 ...)</translation>
    </message>
    <message>
        <source>NMI measures how far two partitions agree. It is not an objective: a router can keep it and still lose the skill. Values at different rho cannot be compared.</source>
        <translation>NMI misst, wie weit zwei Partitionen übereinstimmen. Es ist kein Ziel: Ein Router kann es halten und die Fähigkeit trotzdem verlieren. Werte bei verschiedenem rho sind nicht vergleichbar.</translation>
    </message>
    <message>
        <source>layer %1 · expert %2</source>
        <translation>Schicht %1 · Experte %2</translation>
    </message>
    <message>
        <source>community %1 → %2</source>
        <translation>Community %1 → %2</translation>
    </message>
    <message>
        <source>community %1</source>
        <translation>Community %1</translation>
    </message>
    <message>
        <source>use, base</source>
        <translation>Nutzung, Basis</translation>
    </message>
    <message>
        <source>use, tuned</source>
        <translation>Nutzung, trainiert</translation>
    </message>
    <message>
        <source>slots</source>
        <translation>Plätze</translation>
    </message>
    <message>
        <source>graph, base</source>
        <translation>Graph, Basis</translation>
    </message>
    <message>
        <source>graph, tuned</source>
        <translation>Graph, trainiert</translation>
    </message>
    <message>
        <source>probe, bias-free</source>
        <translation>Messung, ohne Bias</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>base community</source>
        <translation>Basis-Community</translation>
    </message>
    <message>
        <source>tuned community</source>
        <translation>trainierte Community</translation>
    </message>
    <message>
        <source>moved</source>
        <translation>gewechselt</translation>
    </message>
    <message>
        <source>base use</source>
        <translation>Nutzung Basis</translation>
    </message>
    <message>
        <source>tuned use</source>
        <translation>Nutzung trainiert</translation>
    </message>
    <message>
        <source>base edges</source>
        <translation>Kanten Basis</translation>
    </message>
    <message>
        <source>tuned edges</source>
        <translation>Kanten trainiert</translation>
    </message>
    <message>
        <source>rho</source>
        <translation>rho</translation>
    </message>
    <message>
        <source>resolution</source>
        <translation>Auflösung</translation>
    </message>
    <message>
        <source>detector seed</source>
        <translation>Detektor-Seed</translation>
    </message>
    <message>
        <source>edges by</source>
        <translation>Kanten nach</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Dargestellt</translation>
    </message>
    <message>
        <source>la&amp;yer</source>
        <translation>Sch&amp;icht</translation>
    </message>
    <message>
        <source>edg&amp;es by</source>
        <translation>K&amp;anten nach</translation>
    </message>
    <message>
        <source>Communities</source>
        <translation>Communities</translation>
    </message>
    <message>
        <source>Groups of experts that are chosen together. Both sides use the same layout; a ring marks an expert that moved to another community. Look for clusters of rings.</source>
        <translation>Gruppen von Experten, die zusammen gewählt werden. Beide Seiten haben dasselbe Layout; ein Ring markiert einen Experten, der in eine andere Community gewechselt ist. Achten Sie auf Häufungen von Ringen.</translation>
    </message>
    <message>
        <source>&amp;Graph</source>
        <translation>&amp;Graph</translation>
    </message>
    <message>
        <source>Experts as nodes, base and tuned side by side</source>
        <translation>Experten als Knoten, Basis und trainiert nebeneinander</translation>
    </message>
    <message>
        <source>&amp;Matrix</source>
        <translation>&amp;Matrix</translation>
    </message>
    <message>
        <source>Co-activation of all pairs, experts sorted by base community</source>
        <translation>Koaktivierung aller Paare, Experten nach Basis-Community sortiert</translation>
    </message>
    <message>
        <source>lift</source>
        <translation>Lift</translation>
    </message>
    <message>
        <source>Lift is co-activation divided by what independent experts would give; 1 is chance. Busy experts do not dominate it. Communities come from co-activation either way.</source>
        <translation>Lift ist die Koaktivierung geteilt durch das, was unabhängige Experten ergäben; 1 ist Zufall. Viel genutzte Experten dominieren ihn nicht. Die Communities stammen in beiden Fällen aus der Koaktivierung.</translation>
    </message>
    <message>
        <source>rh&amp;o</source>
        <translation>rh&amp;o</translation>
    </message>
    <message>
        <source>Share of expert pairs kept as edges</source>
        <translation>Anteil der Expertenpaare, die als Kanten bleiben</translation>
    </message>
    <message>
        <source>reso&amp;lution</source>
        <translation>A&amp;uflösung</translation>
    </message>
    <message>
        <source>Above 1 gives more and smaller communities</source>
        <translation>Über 1 ergibt mehr und kleinere Communities</translation>
    </message>
    <message>
        <source>Lay the nodes out again (R)</source>
        <translation>Die Knoten neu anordnen (R)</translation>
    </message>
    <message>
        <source>&amp;Step</source>
        <translation>&amp;Schritt</translation>
    </message>
    <message>
        <source>Run one layout step (S)</source>
        <translation>Ein Schritt des Layouts (S)</translation>
    </message>
    <message>
        <source>&amp;Unpin all</source>
        <translation>Alle &amp;lösen</translation>
    </message>
    <message>
        <source>Release nodes that were dragged (pin one with P or a double click)</source>
        <translation>Gezogene Knoten freigeben (einen mit P oder Doppelklick festheften)</translation>
    </message>
    <message>
        <source>Co-activation graphs, base and tuned</source>
        <translation>Koaktivierungsgraphen, Basis und trainiert</translation>
    </message>
    <message>
        <source>Co-activation matrix, tuned</source>
        <translation>Koaktivierungsmatrix, trainiert</translation>
    </message>
    <message>
        <source>Co-activation matrix, base</source>
        <translation>Koaktivierungsmatrix, Basis</translation>
    </message>
    <message>
        <source>No graph yet</source>
        <translation>Noch kein Graph zu zeigen</translation>
    </message>
    <message>
        <source>Open a run or a snapshot, or try the demo, which starts training within a minute.</source>
        <translation>Öffnen Sie einen Lauf oder einen Snapshot, oder probieren Sie die Demo aus, die innerhalb einer Minute zu trainieren beginnt.</translation>
    </message>
    <message>
        <source>&amp;Try the demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>No probe frame yet</source>
        <translation>Noch keine Routing-Messung</translation>
    </message>
    <message>
        <source>The probe runs the held-out texts through the base first. Communities need probe texts in the run.</source>
        <translation>Die Messung schickt die Held-out-Texte zuerst durch die Basis. Communities brauchen Messtexte im Lauf.</translation>
    </message>
    <message>
        <source>Choose &amp;probe texts</source>
        <translation>&amp;Messtexte wählen</translation>
    </message>
    <message>
        <source>Finding communities</source>
        <translation>Suche Communities</translation>
    </message>
    <message>
        <source>The co-activation graph of every layer is being built and partitioned; this takes a moment.</source>
        <translation>Der Koaktivierungsgraph jeder Schicht wird gebaut und partitioniert; das dauert einen Moment.</translation>
    </message>
</context>
<context>
    <name>mooring::CompareView</name>
    <message>
        <source>&amp;of</source>
        <translation>&amp;von</translation>
    </message>
    <message>
        <source>ID a&amp;gainst</source>
        <translation>ID ge&amp;gen</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleich</translation>
    </message>
    <message>
        <source>Methods trade in-domain accuracy against the base&apos;s other skills, depending on the learning rate. Compare them at equal ID, and ignore differences within the noise.</source>
        <translation>Methoden tauschen Genauigkeit in der Domäne gegen die übrigen Fähigkeiten der Basis, je nach Lernrate. Vergleichen Sie bei gleicher ID, und übergehen Sie Unterschiede im Rauschen.</translation>
    </message>
    <message>
        <source>Conditions with their runs</source>
        <translation>Bedingungen mit ihren Läufen</translation>
    </message>
    <message>
        <source>Nothing to compare yet</source>
        <translation>Noch nichts zu vergleichen</translation>
    </message>
    <message>
        <source>Open a study&apos;s folder, or two or more evaluated runs; each becomes a dot. `mooring-cli study` trains methods x seeds.</source>
        <translation>Öffnen Sie den Ordner einer Studie oder mindestens zwei evaluierte Läufe; jeder wird ein Punkt. `mooring-cli study` trainiert Methoden x Seeds.</translation>
    </message>
    <message>
        <source>Open a study or a run</source>
        <translation>Eine Studie oder einen Lauf öffnen</translation>
    </message>
    <message>
        <source>seed %1</source>
        <translation>Seed %1</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>condition</source>
        <translation>Bedingung</translation>
    </message>
    <message>
        <source>method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>seed</source>
        <translation>Seed</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>sd</source>
        <translation>SD</translation>
    </message>
</context>
<context>
    <name>mooring::Comparison</name>
    <message>
        <source>open runs</source>
        <translation>offene Läufe</translation>
    </message>
</context>
<context>
    <name>mooring::ConfigFields</name>
    <message>
        <source>Add...</source>
        <translation>Hinzufügen...</translation>
    </message>
    <message>
        <source>Choose...</source>
        <translation>Wählen...</translation>
    </message>
    <message>
        <source>Choose: %1</source>
        <translation>Wählen: %1</translation>
    </message>
</context>
<context>
    <name>mooring::DataFilesEditor</name>
    <message>
        <source>&amp;Use the proposed columns</source>
        <translation>Die &amp;vorgeschlagenen Spalten verwenden</translation>
    </message>
    <message>
        <source>file</source>
        <translation>Datei</translation>
    </message>
    <message>
        <source>weight</source>
        <translation>Gewicht</translation>
    </message>
    <message>
        <source>row limit</source>
        <translation>Zeilenlimit</translation>
    </message>
    <message>
        <source>columns</source>
        <translation>Spalten</translation>
    </message>
    <message>
        <source>first rows</source>
        <translation>erste Zeilen</translation>
    </message>
    <message>
        <source>How often each row of the file occurs per epoch: 2 is twice, 0.5 every other epoch.</source>
        <translation>Wie oft jede Zeile der Datei je Epoche vorkommt: 2 ist zweimal, 0.5 jede zweite Epoche.</translation>
    </message>
    <message>
        <source>Use only this many rows from the start; empty for all.</source>
        <translation>Nur so viele Zeilen vom Anfang verwenden; leer für alle.</translation>
    </message>
    <message>
        <source>Column mapping, as in prompt = &quot;Question&quot;, answer = &quot;Answer&quot;; empty for the known names.</source>
        <translation>Was jede Spalte enthält, etwa prompt = &quot;Question&quot;, answer = &quot;Answer&quot;; leer für die bekannten Namen.</translation>
    </message>
    <message>
        <source>Whether the first rows can be read this way.</source>
        <translation>Ob sich die ersten Zeilen so lesen lassen.</translation>
    </message>
    <message>
        <source>Training files</source>
        <translation>Trainingsdateien</translation>
    </message>
    <message>
        <source>looking ...</source>
        <translation>sehe nach ...</translation>
    </message>
    <message>
        <source>%1 of %2 readable</source>
        <translation>%1 von %2 lesbar</translation>
    </message>
    <message>
        <source>Checking the files</source>
        <translation>Prüfe die Dateien</translation>
    </message>
</context>
<context>
    <name>mooring::DataPreview</name>
    <message>
        <source>no data</source>
        <translation>keine Daten</translation>
    </message>
    <message numerus="yes">
        <source>%1 and %n more</source>
        <translation>
            <numerusform>%1 und %n weitere</numerusform>
            <numerusform>%1 und %n weitere</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 rows: %2 train, %3 dropped. %4 tokens, %5 % supervised.</source>
        <translation>%1 Zeilen: %2 trainieren, %3 verworfen. %4 Tokens, %5 % überwacht.</translation>
    </message>
    <message>
        <source>An epoch has %1 rows: %2 steps of %3.</source>
        <translation>Eine Epoche hat %1 Zeilen: %2 Schritte zu %3.</translation>
    </message>
    <message>
        <source>truncated to the maximum length</source>
        <translation>auf die Höchstlänge gekürzt</translation>
    </message>
    <message>
        <source>with two BOS tokens: the template adds one and the data contains one</source>
        <translation>mit zwei BOS-Tokens: Die Vorlage fügt eines hinzu, und die Daten haben eines</translation>
    </message>
    <message>
        <source>with text that spells out a special token</source>
        <translation>deren Text ein Sondertoken ausschreibt</translation>
    </message>
    <message>
        <source>Training data</source>
        <translation>Trainingsdaten</translation>
    </message>
    <message>
        <source>&amp;Rows</source>
        <translation>&amp;Zeilen</translation>
    </message>
    <message>
        <source>&amp;Lengths</source>
        <translation>&amp;Längen</translation>
    </message>
    <message>
        <source>&amp;Dropped</source>
        <translation>&amp;Verworfen</translation>
    </message>
    <message>
        <source>Te&amp;mplate</source>
        <translation>&amp;Vorlage</translation>
    </message>
    <message>
        <source>Reading rows</source>
        <translation>Lese Zeilen</translation>
    </message>
    <message>
        <source>The rows are shown with this template.</source>
        <translation>Die Zeilen werden mit dieser Vorlage gezeigt.</translation>
    </message>
    <message>
        <source>Counting rows ...</source>
        <translation>Zähle Zeilen ...</translation>
    </message>
    <message>
        <source>Counting rows</source>
        <translation>Zähle Zeilen</translation>
    </message>
    <message>
        <source>Not counted.</source>
        <translation>Nicht gezählt.</translation>
    </message>
    <message>
        <source>No row %1.</source>
        <translation>Es gibt keine Zeile %1.</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>reason</source>
        <translation>Grund</translation>
    </message>
    <message>
        <source>first occurrences</source>
        <translation>erste Vorkommen</translation>
    </message>
    <message>
        <source>&amp;Dropped (%1)</source>
        <translation>&amp;Verworfen (%1)</translation>
    </message>
    <message>
        <source>&amp;From row</source>
        <translation>&amp;Ab Zeile</translation>
    </message>
    <message>
        <source>Rows are numbered from 0 across all files, in order.</source>
        <translation>Die Zeilen sind über alle Dateien hinweg der Reihe nach ab 0 nummeriert.</translation>
    </message>
    <message>
        <source>&amp;Save as HTML...</source>
        <translation>Als &amp;HTML speichern...</translation>
    </message>
    <message>
        <source>Save the rows</source>
        <translation>Die Zeilen speichern</translation>
    </message>
    <message>
        <source>HTML (*.html)</source>
        <translation>HTML (*.html)</translation>
    </message>
    <message>
        <source>Shaded: answer. Underlined: supervised, a target of the loss. The rest is question and template.</source>
        <translation>Hinterlegt: Antwort. Unterstrichen: überwacht, ein Ziel des Verlusts. Der Rest ist Frage und Vorlage.</translation>
    </message>
    <message>
        <source>Rows as the model sees them</source>
        <translation>Zeilen, wie das Modell sie sieht</translation>
    </message>
    <message>
        <source>Rows that are dropped, by reason</source>
        <translation>Verworfene Zeilen nach Grund</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport as CSV...</source>
        <translation>Als CSV e&amp;xportieren...</translation>
    </message>
    <message>
        <source>Export the reasons</source>
        <translation>Die Gründe exportieren</translation>
    </message>
    <message>
        <source>CSV (*.csv)</source>
        <translation>CSV (*.csv)</translation>
    </message>
    <message>
        <source>Rows are grouped by reason; a dropped row is left out entirely.</source>
        <translation>Die Zeilen sind nach Grund zusammengefasst; eine verworfene Zeile entfällt ganz.</translation>
    </message>
    <message>
        <source>Choose a &amp;file...</source>
        <translation>&amp;Datei wählen...</translation>
    </message>
    <message>
        <source>Use &amp;the model&apos;s</source>
        <translation>Die des &amp;Modells verwenden</translation>
    </message>
    <message>
        <source>&amp;Save and use...</source>
        <translation>&amp;Speichern und verwenden...</translation>
    </message>
    <message>
        <source>The chat template</source>
        <translation>Die Chat-Vorlage</translation>
    </message>
    <message>
        <source>Choose a chat template</source>
        <translation>Eine Chat-Vorlage wählen</translation>
    </message>
    <message>
        <source>Templates (*.jinja *.json *.txt);;All files (*)</source>
        <translation>Vorlagen (*.jinja *.json *.txt);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Save the template</source>
        <translation>Die Vorlage speichern</translation>
    </message>
</context>
<context>
    <name>mooring::DataRows</name>
    <message>
        <source>%1 tokens, %2 supervised</source>
        <translation>%1 Tokens, %2 überwacht</translation>
    </message>
    <message>
        <source>%1, row %2</source>
        <translation>%1, Zeile %2</translation>
    </message>
    <message>
        <source>dropped:</source>
        <translation>verworfen:</translation>
    </message>
</context>
<context>
    <name>mooring::Diagnostics</name>
    <message>
        <source>Mooring %1, Qt %2, %3</source>
        <translation>Mooring %1, Qt %2, %3</translation>
    </message>
    <message>
        <source>%1 processor cores, platform %2</source>
        <translation>%1 Prozessorkerne, Plattform %2</translation>
    </message>
    <message>
        <source>screen %1 x %2 at scale %3</source>
        <translation>Bildschirm %1 x %2 bei Skalierung %3</translation>
    </message>
    <message>
        <source>Event loop: checked every %1 ms, %2 times</source>
        <translation>Ereignisschleife: alle %1 ms geprüft, %2-mal</translation>
    </message>
    <message>
        <source>  at %1 s: %2 ms, own work %3 ms</source>
        <translation>  bei %1 s: %2 ms, eigene Arbeit %3 ms</translation>
    </message>
    <message>
        <source>Diagnostics</source>
        <translation>Diagnose</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>&amp;Reset</source>
        <translation>&amp;Zurücksetzen</translation>
    </message>
    <message>
        <source>About Mooring</source>
        <translation>Über Mooring</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Mooring %1&lt;/h3&gt;&lt;p&gt;Anchored post-training of mixture-of-experts language models, with their routing in view.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later. Built on Qt, Qt Charts, LibTorch, igraph and QuaZip.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Mooring %1&lt;/h3&gt;&lt;p&gt;Verankertes Post-Training von Mixture-of-Experts-Sprachmodellen, mit dem Routing im Blick.&lt;/p&gt;&lt;p&gt;GPL-3.0-or-later. Gebaut auf Qt, Qt Charts, LibTorch, igraph und QuaZip.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>longest gap %1 ms, longest work of its own %2 ms</source>
        <translation>längste Lücke %1 ms, längste eigene Arbeit %2 ms</translation>
    </message>
    <message>
        <source>gaps over %1 ms: %2, of which %3 due to the window&apos;s own work; in the rest it waited for a CPU or a disk</source>
        <translation>Lücken über %1 ms: %2, davon %3 durch eigene Arbeit des Fensters; sonst wartete es auf Prozessor oder Festplatte</translation>
    </message>
</context>
<context>
    <name>mooring::DockTitle</name>
    <message>
        <source>Float %1</source>
        <translation>%1 ablösen</translation>
    </message>
    <message>
        <source>Close %1</source>
        <translation>%1 schließen</translation>
    </message>
</context>
<context>
    <name>mooring::Fold</name>
    <message>
        <source>open</source>
        <translation>offen</translation>
    </message>
    <message>
        <source>closed</source>
        <translation>geschlossen</translation>
    </message>
</context>
<context>
    <name>mooring::JobBar</name>
    <message>
        <source>Cancel</source>
        <translation>Abbrechen</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
</context>
<context>
    <name>mooring::LengthsCanvas</name>
    <message>
        <source>Lengths of the rows</source>
        <translation>Längen der Zeilen</translation>
    </message>
    <message>
        <source>%1 to %2 tokens</source>
        <translation>%1 bis %2 Tokens</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>up to here</source>
        <translation>bis hier</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>longer than max_length</source>
        <translation>länger als max_length</translation>
    </message>
</context>
<context>
    <name>mooring::LengthsView</name>
    <message>
        <source>tokens per row</source>
        <translation>Tokens je Zeile</translation>
    </message>
    <message>
        <source>rows</source>
        <translation>Zeilen</translation>
    </message>
    <message>
        <source>max_length %1: %2 rows are longer</source>
        <translation>max_length %1: %2 Zeilen sind länger</translation>
    </message>
    <message>
        <source>Rows to the right of the mark are longer than max_length and are dropped or truncated.</source>
        <translation>Zeilen rechts der Marke sind länger als max_length und werden verworfen oder gekürzt.</translation>
    </message>
    <message>
        <source>No row is longer than max_length, %1.</source>
        <translation>Keine Zeile ist länger als max_length, %1.</translation>
    </message>
    <message>
        <source>Number of rows by length in tokens.</source>
        <translation>Anzahl der Zeilen nach Länge in Tokens.</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Lengths</source>
        <translation>Längen</translation>
    </message>
</context>
<context>
    <name>mooring::LiveFigures</name>
    <message>
        <source>normalized sigmoid</source>
        <translation>normiertes Sigmoid</translation>
    </message>
    <message>
        <source>top-k frequency</source>
        <translation>Top-k-Häufigkeit</translation>
    </message>
    <message>
        <source>experts shuffled within the base&apos;s communities</source>
        <translation>Experten innerhalb der Communities der Basis permutiert</translation>
    </message>
    <message>
        <source>experts shuffled over all</source>
        <translation>Experten über alle permutiert</translation>
    </message>
    <message>
        <source>The same shuffle for every sample and both spans, drawn from the run&apos;s seed.</source>
        <translation>Dieselbe Permutation für jedes Sample und beide Spans, aus dem Seed des Laufs gezogen.</translation>
    </message>
    <message>
        <source>top-k entries changed</source>
        <translation>geänderte Top-k-Einträge</translation>
    </message>
    <message>
        <source>Share of the experts in a span&apos;s top-k that the shuffle replaced.
</source>
        <translation>Anteil der Experten in den Top-k eines Spans, die die Permutation ersetzt hat.
</translation>
    </message>
    <message>
        <source>The paper&apos;s: 46 % and 60 %.</source>
        <translation>Im Paper: 46 % und 60 %.</translation>
    </message>
    <message>
        <source>The paper&apos;s: about 90 %.</source>
        <translation>Im Paper: etwa 90 %.</translation>
    </message>
    <message>
        <source>bias change, 90th percentile</source>
        <translation>Bias-Änderung, 90. Perzentil</translation>
    </message>
    <message>
        <source>90 % of the bias entries changed by at most this.
</source>
        <translation>90 % der Bias-Einträge änderten sich höchstens um so viel.
</translation>
    </message>
    <message>
        <source>The paper&apos;s: 0.47 and 0.82.</source>
        <translation>Im Paper: 0.47 und 0.82.</translation>
    </message>
    <message>
        <source>The paper&apos;s: 1.5.</source>
        <translation>Im Paper: 1.5.</translation>
    </message>
    <message>
        <source>at the upper clamp</source>
        <translation>an der oberen Klemmgrenze</translation>
    </message>
    <message>
        <source>A shuffle moves these cells but creates no new ones.</source>
        <translation>Eine Permutation verschiebt diese Zellen, schafft aber keine neuen.</translation>
    </message>
    <message>
        <source>token reference</source>
        <translation>Token-Referenz</translation>
    </message>
    <message>
        <source>held, %1</source>
        <translation>gehalten, %1</translation>
    </message>
    <message>
        <source>one base forward pass per step</source>
        <translation>ein Basis-Forward je Schritt</translation>
    </message>
    <message>
        <source>The base&apos;s router logits for every training token, in bf16.</source>
        <translation>Die Router-Logits der Basis für jedes Trainingstoken, in bf16.</translation>
    </message>
    <message>
        <source>The base runs beside the tuned model; storing its logits would take %1.</source>
        <translation>Die Basis läuft neben dem trainierten Modell; ihre Logits zu speichern, bräuchte %1.</translation>
    </message>
    <message>
        <source>bias sd</source>
        <translation>Bias-SD</translation>
    </message>
    <message>
        <source>Standard deviation over experts, averaged over spans and layers.
The paper&apos;s Moonlight: about 0.62 to 0.65.</source>
        <translation>Standardabweichung über die Experten, gemittelt über Spans und Schichten.
Moonlight im Paper: etwa 0.62 bis 0.65.</translation>
    </message>
    <message>
        <source>bias range</source>
        <translation>Bias-Spannweite</translation>
    </message>
    <message>
        <source>Largest minus smallest, averaged over spans and layers; at most 4.605.
The paper&apos;s Moonlight: about 3.03.</source>
        <translation>Größter minus kleinster, gemittelt über Spans und Schichten; höchstens 4.605.
Moonlight im Paper: etwa 3.03.</translation>
    </message>
    <message>
        <source>Cells where the base gave an expert more than 5 times the uniform share.
The paper&apos;s Moonlight: 1 to 2 %.</source>
        <translation>Zellen, in denen die Basis einem Experten mehr als das 5-Fache des gleichverteilten Anteils gab.
Moonlight im Paper: 1 bis 2 %.</translation>
    </message>
    <message>
        <source>no prior in this run</source>
        <translation>kein Prior in diesem Lauf</translation>
    </message>
    <message>
        <source>prior.compute is never: the run cannot switch to methods that need a prior.</source>
        <translation>prior.compute ist never: Der Lauf kann nicht zu Methoden wechseln, die einen Prior brauchen.</translation>
    </message>
    <message>
        <source>computed from</source>
        <translation>berechnet aus</translation>
    </message>
    <message>
        <source>prior.gate; the paper uses the softmax of the router&apos;s logits.</source>
        <translation>prior.gate; das Paper verwendet das Softmax der Router-Logits.</translation>
    </message>
    <message>
        <source>spans without a prior</source>
        <translation>Spans ohne Prior</translation>
    </message>
    <message>
        <source>They have no tokens, so their bias is 0.</source>
        <translation>Sie haben keine Tokens, daher ist ihr Bias 0.</translation>
    </message>
    <message>
        <source>as used</source>
        <translation>wie im Einsatz</translation>
    </message>
    <message>
        <source>Nats per token; the router alone chooses and weighs, without a bias.</source>
        <translation>Nats je Token; der Router allein wählt und gewichtet, ohne Bias.</translation>
    </message>
    <message>
        <source>as trained</source>
        <translation>wie trainiert</translation>
    </message>
    <message>
        <source>Nats per token with the method&apos;s routing in force. The difference is what the model loses without the bias or the given choice.</source>
        <translation>Nats je Token mit dem geltenden Routing der Methode. Die Differenz ist, was das Modell ohne den Bias oder die vorgegebene Wahl verliert.</translation>
    </message>
    <message>
        <source>The bias affects the choice, not the weights.</source>
        <translation>Der Bias wirkt auf die Wahl, nicht auf die Gewichte.</translation>
    </message>
    <message>
        <source>Reference: the prior of the token&apos;s span.</source>
        <translation>Referenz: der Prior des Spans des Tokens.</translation>
    </message>
    <message>
        <source>Reference: the base&apos;s router at the same token.</source>
        <translation>Referenz: der Basis-Router beim selben Token.</translation>
    </message>
    <message>
        <source>Balanced within each sequence.</source>
        <translation>Innerhalb jeder Sequenz balanciert.</translation>
    </message>
    <message>
        <source>Balanced within each micro-batch; depends on how a step is split.</source>
        <translation>Innerhalb jedes Micro-Batch balanciert; hängt davon ab, wie ein Schritt geteilt ist.</translation>
    </message>
    <message>
        <source>Correction biases are frozen with the router.</source>
        <translation>Die Korrektur-Biases sind mit dem Router eingefroren.</translation>
    </message>
    <message>
        <source>Correction biases, if the model has them, move by %1 per step.</source>
        <translation>Korrektur-Biases, falls das Modell welche hat, ändern sich um %1 je Schritt.</translation>
    </message>
</context>
<context>
    <name>mooring::LivePanel</name>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Beta</source>
        <translation>Beta</translation>
    </message>
    <message>
        <source>Strength</source>
        <translation>Stärke</translation>
    </message>
    <message>
        <source>Learning rate ×</source>
        <translation>Lernrate ×</translation>
    </message>
    <message>
        <source>&amp;Add a penalty</source>
        <translation>Strafterm &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Another penalty on top of the method</source>
        <translation>Ein weiterer Strafterm zusätzlich zur Methode</translation>
    </message>
    <message>
        <source>&amp;Ramp over</source>
        <translation>&amp;Rampe über</translation>
    </message>
    <message>
        <source>Number of steps to ramp over</source>
        <translation>Zahl der Schritte der Rampe</translation>
    </message>
    <message>
        <source>Number of steps a change takes; 0 applies it at the next step</source>
        <translation>Zahl der Schritte, die eine Änderung dauert; 0 wendet sie beim nächsten Schritt an</translation>
    </message>
    <message>
        <source>steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>&amp;Checkpoint before a change</source>
        <translation>&amp;Checkpoint vor einer Änderung</translation>
    </message>
    <message>
        <source>How changes are applied</source>
        <translation>Wie Änderungen angewandt werden</translation>
    </message>
    <message>
        <source>In force since step</source>
        <translation>In Kraft seit Schritt</translation>
    </message>
    <message>
        <source>Held-out cross-entropy</source>
        <translation>Held-out-Kreuzentropie</translation>
    </message>
    <message>
        <source>Prior</source>
        <translation>Prior</translation>
    </message>
    <message>
        <source>Remove this penalty, over the ramp</source>
        <translation>Diesen Strafterm entfernen, über die Rampe</translation>
    </message>
    <message>
        <source>Remove %1</source>
        <translation>%1 entfernen</translation>
    </message>
    <message>
        <source>, beta %1</source>
        <translation>, Beta %1</translation>
    </message>
    <message>
        <source>, strength %1</source>
        <translation>, Stärke %1</translation>
    </message>
    <message>
        <source>none yet</source>
        <translation>noch keine</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>Undo %1 of step %2</source>
        <translation>%1 von Schritt %2 rückgängig machen</translation>
    </message>
    <message>
        <source>Restores the previous value from the next step</source>
        <translation>Stellt den vorherigen Wert ab dem nächsten Schritt wieder her</translation>
    </message>
    <message>
        <source>No effect: the router is frozen</source>
        <translation>Ohne Wirkung: Der Router ist eingefroren</translation>
    </message>
    <message>
        <source>Not applied: %1</source>
        <translation>Nicht angewandt: %1</translation>
    </message>
    <message>
        <source>%1 → %2, from step %3</source>
        <translation>%1 → %2, ab Schritt %3</translation>
    </message>
    <message>
        <source>Shown once a run starts.</source>
        <translation>Erscheint, sobald ein Lauf beginnt.</translation>
    </message>
    <message>
        <source>No run is open. Start one to change its method here while it trains.</source>
        <translation>Kein Lauf ist offen. Starten Sie einen, um seine Methode hier während des Trainings zu ändern.</translation>
    </message>
    <message>
        <source>This run is not training. Its last values are shown and cannot be changed.</source>
        <translation>Dieser Lauf trainiert nicht. Seine letzten Werte werden gezeigt und lassen sich nicht ändern.</translation>
    </message>
    <message>
        <source>Changes can be made once the first step has started.</source>
        <translation>Änderungen sind möglich, sobald der erste Schritt begonnen hat.</translation>
    </message>
</context>
<context>
    <name>mooring::LiveValueControl</name>
    <message>
        <source>%1: slider</source>
        <translation>%1: Regler</translation>
    </message>
    <message>
        <source>%1: number</source>
        <translation>%1: Zahl</translation>
    </message>
    <message>
        <source>The circle is the requested value, the line the value in force. Double-click or press Delete to restore the method&apos;s default.</source>
        <translation>Der Kreis ist der verlangte Wert, der Strich der geltende. Doppelklick oder Entf stellt den Vorgabewert der Methode wieder her.</translation>
    </message>
</context>
<context>
    <name>mooring::LogDock</name>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source> over %1 steps</source>
        <translation> über %1 Schritte</translation>
    </message>
    <message>
        <source>step %1, task %2 (%3): %4 of %5 correct, %6%7 %</source>
        <translation>Schritt %1, Aufgabe %2 (%3): %4 von %5 richtig, %6%7 %</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>right</source>
        <translation>richtig</translation>
    </message>
    <message>
        <source>wrong: %1 instead of %2</source>
        <translation>falsch: %1 statt %2</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
    <message>
        <source>Messages from Mooring and the trainer appear here.</source>
        <translation>Hier erscheinen Meldungen von Mooring und vom Trainer.</translation>
    </message>
    <message>
        <source>Step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>From</source>
        <translation>Von</translation>
    </message>
    <message>
        <source>What</source>
        <translation>Was</translation>
    </message>
    <message>
        <source>Change</source>
        <translation>Änderung</translation>
    </message>
    <message>
        <source>Events of the run</source>
        <translation>Ereignisse des Laufs</translation>
    </message>
    <message>
        <source>Events</source>
        <translation>Ereignisse</translation>
    </message>
    <message>
        <source>Generations and scores</source>
        <translation>Generierte Texte und Bewertungen</translation>
    </message>
    <message>
        <source>Run &gt; Generate has the current model answer a few held-out prompts; Run &gt; Evaluate scores it on the run&apos;s tasks.</source>
        <translation>Lauf &gt; Generieren lässt das aktuelle Modell einige zurückgehaltene Prompts beantworten; Lauf &gt; Evaluieren bewertet es an den Aufgaben des Laufs.</translation>
    </message>
    <message>
        <source>Generations</source>
        <translation>Generierte Texte</translation>
    </message>
</context>
<context>
    <name>mooring::MainWindow</name>
    <message>
        <source>Mooring</source>
        <translation>Mooring</translation>
    </message>
    <message>
        <source>The language changes at the next start.</source>
        <translation>Die Sprache wechselt beim nächsten Start.</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Live</source>
        <translation>Live</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitleiste</translation>
    </message>
    <message>
        <source>Log</source>
        <translation>Protokoll</translation>
    </message>
</context>
<context>
    <name>mooring::MemoryBar</name>
    <message>
        <source>%1 in total; free device memory is unknown.</source>
        <translation>%1 insgesamt; der freie Gerätespeicher ist unbekannt.</translation>
    </message>
    <message>
        <source>%1 in total, %2 free: it fits.</source>
        <translation>%1 insgesamt, %2 frei: Es passt.</translation>
    </message>
    <message>
        <source>%1 in total, %2 free: it does not fit. %3</source>
        <translation>%1 insgesamt, %2 frei: Es passt nicht. %3</translation>
    </message>
    <message>
        <source>Memory by part</source>
        <translation>Speicher nach Teilen</translation>
    </message>
    <message>
        <source>peak of a step (%1 tokens per micro-batch):</source>
        <translation>Spitze eines Schritts (%1 Tokens je Micro-Batch):</translation>
    </message>
    <message>
        <source>disk for the run&apos;s checkpoints</source>
        <translation>Plattenplatz für die Checkpoints des Laufs</translation>
    </message>
</context>
<context>
    <name>mooring::MethodEffects</name>
    <message>
        <source>No effect: Logit-L2 compares with the base&apos;s logits, not with a prior.</source>
        <translation>Ohne Wirkung: Logit-L2 vergleicht mit den Logits der Basis, nicht mit einem Prior.</translation>
    </message>
    <message>
        <source>No effect: no method of this run uses the prior.</source>
        <translation>Ohne Wirkung: Keine Methode dieses Laufs verwendet den Prior.</translation>
    </message>
    <message>
        <source>No effect: the correction biases are frozen with the router.</source>
        <translation>Ohne Wirkung: Die Korrektur-Biases sind mit dem Router eingefroren.</translation>
    </message>
    <message>
        <source>No effect: this model has no correction biases.</source>
        <translation>Ohne Wirkung: Dieses Modell hat keine Korrektur-Biases.</translation>
    </message>
    <message>
        <source>No effect: no method of this run adds a bias.</source>
        <translation>Ohne Wirkung: Keine Methode dieses Laufs addiert einen Bias.</translation>
    </message>
    <message>
        <source>No effect: the reference is the prior of the span.</source>
        <translation>Ohne Wirkung: Die Referenz ist der Prior des Spans.</translation>
    </message>
    <message>
        <source>No effect: the router is frozen and has no gradient to clip.</source>
        <translation>Ohne Wirkung: Der Router ist eingefroren und hat keinen Gradienten zu kürzen.</translation>
    </message>
    <message>
        <source>one extra forward pass of the base per step</source>
        <translation>einen zusätzlichen Forward der Basis je Schritt</translation>
    </message>
    <message>
        <source>Costs %1.</source>
        <translation>Kostet %1.</translation>
    </message>
    <message>
        <source>If stored, the base&apos;s logits take 2 bytes x MoE layers x experts per token of the training data; if not, %1.</source>
        <translation>Gespeichert brauchen die Logits der Basis 2 Bytes x MoE-Schichten x Experten je Token der Trainingsdaten; sonst %1.</translation>
    </message>
    <message>
        <source>%1 bytes per token (2 x %2 MoE layers x %3 experts)</source>
        <translation>%1 Bytes je Token (2 x %2 MoE-Schichten x %3 Experten)</translation>
    </message>
    <message>
        <source>Stored: %1.</source>
        <translation>Gespeichert: %1.</translation>
    </message>
    <message>
        <source>Stored up to %1, at %2; above that, %3.</source>
        <translation>Gespeichert bis %1, bei %2; darüber %3.</translation>
    </message>
    <message>
        <source>%1 for %2 tokens, %3</source>
        <translation>%1 für %2 Tokens, %3</translation>
    </message>
    <message>
        <source>Costs %1: storing the base&apos;s logits would take %2.</source>
        <translation>Kostet %1: Die Logits der Basis zu speichern, bräuchte %2.</translation>
    </message>
    <message>
        <source>No effect: neither KL nor Logit-L2 is in this run.</source>
        <translation>Ohne Wirkung: In diesem Lauf kommt weder KL noch Logit-L2 vor.</translation>
    </message>
    <message>
        <source>No effect: there is no load balancing in this run.</source>
        <translation>Ohne Wirkung: In diesem Lauf gibt es keinen Lastausgleich.</translation>
    </message>
    <message>
        <source>No effect: nothing but the router trains.</source>
        <translation>Ohne Wirkung: Nur der Router wird trainiert.</translation>
    </message>
</context>
<context>
    <name>mooring::MethodFields</name>
    <message>
        <source>enter a number, as in 0.5 or 1e-5</source>
        <translation>geben Sie eine Zahl ein, etwa 0.5 oder 1e-5</translation>
    </message>
    <message>
        <source>Method</source>
        <translation>Methode</translation>
    </message>
    <message>
        <source>Metho&amp;d</source>
        <translation>Metho&amp;de</translation>
    </message>
    <message>
        <source>What anchors the router to the base model.</source>
        <translation>Was den Router am Basismodell verankert.</translation>
    </message>
    <message>
        <source>&amp;Beta</source>
        <translation>&amp;Beta</translation>
    </message>
    <message>
        <source>How strongly the prior biases the router: 0 is off, 1 is the paper&apos;s value.</source>
        <translation>Wie stark der Prior den Router verschiebt: 0 ist aus, 1 ist der Wert des Papers.</translation>
    </message>
    <message>
        <source>Stren&amp;gth</source>
        <translation>&amp;Stärke</translation>
    </message>
    <message>
        <source>Weight of the penalty in the loss.</source>
        <translation>Gewicht des Strafterms im Verlust.</translation>
    </message>
    <message>
        <source>More penalties</source>
        <translation>Weitere Strafterme</translation>
    </message>
    <message>
        <source>Penalties in the loss on top of the method, each with its strength.</source>
        <translation>Strafterme im Verlust zusätzlich zur Methode, jeder mit seiner Stärke.</translation>
    </message>
    <message>
        <source>Planned &amp;changes</source>
        <translation>Geplante &amp;Änderungen</translation>
    </message>
    <message>
        <source>One per line, at a share of the run or at a step: at 0.5: beta = 0 until 0.9, or
step 120: method = kl_to_base, strength = 0.3 over 20 steps.
beta, strength, method, lr_scale and also.&lt;penalty&gt; can be set.</source>
        <translation>Eine je Zeile, bei einem Anteil des Laufs oder bei einem Schritt: at 0.5: beta = 0 until 0.9, oder
step 120: method = kl_to_base, strength = 0.3 over 20 steps.
beta, strength, method, lr_scale und also.&lt;Strafterm&gt; lassen sich setzen.</translation>
    </message>
    <message>
        <source>Method details</source>
        <translation>Einzelheiten der Methode</translation>
    </message>
    <message>
        <source>Bias applies to</source>
        <translation>Bias wirkt auf</translation>
    </message>
    <message>
        <source>Whether the bias also changes the weights of the experts it helped to choose.</source>
        <translation>Ob der Bias auch die Gewichte der Experten ändert, die er zu wählen half.</translation>
    </message>
    <message>
        <source>choice and weights (paper)</source>
        <translation>Wahl und Gewichte (Paper)</translation>
    </message>
    <message>
        <source>choice only</source>
        <translation>nur die Wahl</translation>
    </message>
    <message>
        <source>Re&amp;ference</source>
        <translation>Re&amp;ferenz</translation>
    </message>
    <message>
        <source>What KL and Logit-L2 compare with.</source>
        <translation>Womit KL und Logit-L2 vergleichen.</translation>
    </message>
    <message>
        <source>prior of the token&apos;s span (paper)</source>
        <translation>Prior des Spans des Tokens (Paper)</translation>
    </message>
    <message>
        <source>base router at the same token</source>
        <translation>Basis-Router beim selben Token</translation>
    </message>
    <message>
        <source>Base logits</source>
        <translation>Basis-Logits</translation>
    </message>
    <message>
        <source>Where the token-level reference comes from.</source>
        <translation>Woher die Referenz auf Tokenebene kommt.</translation>
    </message>
    <message>
        <source>stored if small</source>
        <translation>gespeichert, wenn klein</translation>
    </message>
    <message>
        <source>held</source>
        <translation>gehalten</translation>
    </message>
    <message>
        <source>one base forward pass per step</source>
        <translation>ein Basis-Forward je Schritt</translation>
    </message>
    <message>
        <source>Balanced over</source>
        <translation>Balanciert über</translation>
    </message>
    <message>
        <source>The tokens over which load balancing averages.</source>
        <translation>Die Tokens, über die das Load-Balancing mittelt.</translation>
    </message>
    <message>
        <source>the whole step</source>
        <translation>den ganzen Schritt</translation>
    </message>
    <message>
        <source>each sequence</source>
        <translation>jede Sequenz</translation>
    </message>
    <message>
        <source>each micro-batch</source>
        <translation>jeden Micro-Batch</translation>
    </message>
    <message>
        <source>Prior from</source>
        <translation>Prior aus</translation>
    </message>
    <message>
        <source>How the base&apos;s logits become a distribution.</source>
        <translation>Wie aus den Logits der Basis eine Verteilung wird.</translation>
    </message>
    <message>
        <source>softmax of the logits (paper)</source>
        <translation>Softmax der Logits (Paper)</translation>
    </message>
    <message>
        <source>sigmoid, normalized</source>
        <translation>Sigmoid, normiert</translation>
    </message>
    <message>
        <source>top-k frequency</source>
        <translation>Top-k-Häufigkeit</translation>
    </message>
    <message>
        <source>Prior computed</source>
        <translation>Prior berechnet</translation>
    </message>
    <message>
        <source>A run can switch to methods that need a prior only if it has one.</source>
        <translation>Ein Lauf kann zu Methoden, die einen Prior brauchen, nur wechseln, wenn er einen hat.</translation>
    </message>
    <message>
        <source>at the start, for any method</source>
        <translation>am Anfang, für jede Methode</translation>
    </message>
    <message>
        <source>when a method needs it</source>
        <translation>wenn eine Methode ihn braucht</translation>
    </message>
    <message>
        <source>never</source>
        <translation>nie</translation>
    </message>
    <message>
        <source>Clip norm</source>
        <translation>Clip-Norm</translation>
    </message>
    <message>
        <source>Gradients with a larger norm are scaled down to it.</source>
        <translation>Gradienten mit größerer Norm werden darauf herunterskaliert.</translation>
    </message>
    <message>
        <source>Clip scope</source>
        <translation>Geltung des Clippings</translation>
    </message>
    <message>
        <source>A strong penalty can dominate the total norm and so shrink all other gradients.</source>
        <translation>Ein starker Strafterm kann die Gesamtnorm beherrschen und so alle anderen Gradienten verkleinern.</translation>
    </message>
    <message>
        <source>all gradients together</source>
        <translation>alle Gradienten zusammen</translation>
    </message>
    <message>
        <source>router separately</source>
        <translation>Router getrennt</translation>
    </message>
    <message>
        <source>Correction bias rate</source>
        <translation>Rate der Korrektur-Biases</translation>
    </message>
    <message>
        <source>Balancing without a loss: after each step, each expert&apos;s correction bias moves up by this if it had fewer tokens than the mean, down if more. 0 disables it.</source>
        <translation>Balancieren ohne Verlust: Nach jedem Schritt steigt der Korrektur-Bias jedes Experten um diesen Wert, wenn er weniger Tokens als das Mittel hatte, und sinkt, wenn er mehr hatte. 0 schaltet es ab.</translation>
    </message>
    <message>
        <source>not used by this method</source>
        <translation>von dieser Methode nicht verwendet</translation>
    </message>
    <message>
        <source>This method has none.</source>
        <translation>Diese Methode hat keine.</translation>
    </message>
    <message>
        <source>One distribution for the question and one for the answer of each sample.</source>
        <translation>Eine Verteilung für die Frage und eine für die Antwort jedes Samples.</translation>
    </message>
    <message>
        <source>Depends on how a step is split: changing batch.micro changes the results.</source>
        <translation>Hängt davon ab, wie ein Schritt geteilt ist: Ein anderes batch.micro ändert die Ergebnisse.</translation>
    </message>
    <message>
        <source>The run cannot switch to a method that needs the prior.</source>
        <translation>Der Lauf kann nicht zu einer Methode wechseln, die den Prior braucht.</translation>
    </message>
    <message>
        <source>Needs the base in memory along with the tuned model from then on.</source>
        <translation>Braucht dann die Basis im Speicher neben dem trainierten Modell.</translation>
    </message>
    <message>
        <source>clip norm %1</source>
        <translation>Clip-Norm %1</translation>
    </message>
    <message>
        <source>correction bias rate %1</source>
        <translation>Rate der Korrektur-Biases %1</translation>
    </message>
</context>
<context>
    <name>mooring::MethodTitles</name>
    <message>
        <source>SFT, cross-entropy only</source>
        <translation>SFT, nur Kreuzentropie</translation>
    </message>
    <message>
        <source>Load balancing loss</source>
        <translation>Load-Balancing-Verlust</translation>
    </message>
    <message>
        <source>Router prior bias (RPB)</source>
        <translation>Router-Prior-Bias (RPB)</translation>
    </message>
    <message>
        <source>Router-L2</source>
        <translation>Router-L2</translation>
    </message>
    <message>
        <source>KL to the base router</source>
        <translation>KL zum Basis-Router</translation>
    </message>
    <message>
        <source>Logit-L2</source>
        <translation>Logit-L2</translation>
    </message>
    <message>
        <source>RPB-hard</source>
        <translation>RPB-hard</translation>
    </message>
    <message>
        <source>RPB, shuffled within communities</source>
        <translation>RPB, innerhalb der Communities permutiert</translation>
    </message>
    <message>
        <source>RPB-hard, shuffled within communities</source>
        <translation>RPB-hard, innerhalb der Communities permutiert</translation>
    </message>
    <message>
        <source>RPB-hard, shuffled over all experts</source>
        <translation>RPB-hard, über alle Experten permutiert</translation>
    </message>
    <message>
        <source>Frozen router</source>
        <translation>Eingefrorener Router</translation>
    </message>
    <message>
        <source>Router z-loss</source>
        <translation>Router-z-Verlust</translation>
    </message>
</context>
<context>
    <name>mooring::Methods</name>
    <message>
        <source>Cross-entropy only: nothing anchors the router.</source>
        <translation>Nur Kreuzentropie: Nichts verankert den Router.</translation>
    </message>
    <message>
        <source>Pushes every layer toward equal use of its experts, whatever the base did.</source>
        <translation>Drückt jede Schicht zu gleicher Nutzung ihrer Experten, was auch immer die Basis tat.</translation>
    </message>
    <message>
        <source>Adds beta times the base&apos;s prior for the token&apos;s span to the router&apos;s logits during training. At inference there is no bias.</source>
        <translation>Addiert im Training beta mal den Prior der Basis für den Span des Tokens zu den Logits des Routers. Bei der Inferenz gibt es keinen Bias.</translation>
    </message>
    <message>
        <source>Pulls the router&apos;s weights toward the base&apos;s.</source>
        <translation>Zieht die Gewichte des Routers zu denen der Basis.</translation>
    </message>
    <message>
        <source>Pulls the router&apos;s distribution over experts toward the base&apos;s.</source>
        <translation>Zieht die Verteilung des Routers über die Experten zu der der Basis.</translation>
    </message>
    <message>
        <source>Pulls the router&apos;s centered logits toward the base&apos;s.</source>
        <translation>Zieht die zentrierten Logits des Routers zu denen der Basis.</translation>
    </message>
    <message>
        <source>The base&apos;s prior for the span chooses the experts during training; the router only weighs them.</source>
        <translation>Der Prior der Basis für den Span wählt im Training die Experten; der Router gewichtet sie nur.</translation>
    </message>
    <message>
        <source>A control: RPB with a prior whose experts are shuffled within each community of the base.</source>
        <translation>Eine Kontrolle: RPB mit einem Prior, dessen Experten innerhalb jeder Community der Basis permutiert sind.</translation>
    </message>
    <message>
        <source>A control: RPB-hard with a prior whose experts are shuffled within each community of the base.</source>
        <translation>Eine Kontrolle: RPB-hard mit einem Prior, dessen Experten innerhalb jeder Community der Basis permutiert sind.</translation>
    </message>
    <message>
        <source>A control: RPB-hard with a prior whose experts are shuffled over all experts.</source>
        <translation>Eine Kontrolle: RPB-hard mit einem Prior, dessen Experten über alle hinweg permutiert sind.</translation>
    </message>
    <message>
        <source>The router&apos;s weights and biases stay at the base&apos;s values; everything else trains.</source>
        <translation>Gewichte und Biases des Routers bleiben auf den Werten der Basis; alles andere trainiert.</translation>
    </message>
    <message>
        <source>Keeps the router&apos;s logits small by penalizing the square of their logsumexp.</source>
        <translation>Hält die Logits des Routers klein, indem das Quadrat ihres Logsumexp bestraft wird.</translation>
    </message>
    <message>
        <source>In the paper, Moonlight after math20k: %1 over nine benchmarks.</source>
        <translation>Im Paper, Moonlight nach math20k: %1 über neun Benchmarks.</translation>
    </message>
</context>
<context>
    <name>mooring::Metrics</name>
    <message>
        <source>Overall</source>
        <translation>Gesamt</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>Router drift</source>
        <translation>Router-Drift</translation>
    </message>
    <message>
        <source>Held-out CE</source>
        <translation>Held-out-CE</translation>
    </message>
</context>
<context>
    <name>mooring::ModelMeasuring</name>
    <message>
        <source>Reading %1</source>
        <translation>Lese %1</translation>
    </message>
    <message>
        <source>Another model is in use: measure this one when that has finished.</source>
        <translation>Ein anderes Modell ist in Gebrauch: Messen Sie dieses, wenn das beendet ist.</translation>
    </message>
    <message>
        <source>Measuring the routing</source>
        <translation>Messe das Routing</translation>
    </message>
    <message>
        <source>%1, base</source>
        <translation>%1, Basis</translation>
    </message>
</context>
<context>
    <name>mooring::ModelPage</name>
    <message>
        <source>&amp;Show routing</source>
        <translation>&amp;Routing zeigen</translation>
    </message>
    <message>
        <source>Scope of the router</source>
        <translation>Scope des Routers</translation>
    </message>
    <message>
        <source>&amp;New run with this model...</source>
        <translation>&amp;Neuer Lauf mit diesem Modell...</translation>
    </message>
    <message>
        <source>&amp;Measure routing on texts...</source>
        <translation>Routing auf Texten &amp;messen...</translation>
    </message>
    <message>
        <source>family</source>
        <translation>Familie</translation>
    </message>
    <message>
        <source>layers</source>
        <translation>Schichten</translation>
    </message>
    <message>
        <source>experts per layer</source>
        <translation>Experten je Schicht</translation>
    </message>
    <message>
        <source>chosen per token</source>
        <translation>gewählt je Token</translation>
    </message>
    <message>
        <source>width</source>
        <translation>Breite</translation>
    </message>
    <message>
        <source>context length</source>
        <translation>Kontextlänge</translation>
    </message>
    <message>
        <source>parameters</source>
        <translation>Parameter</translation>
    </message>
    <message>
        <source>%1 as %2</source>
        <translation>%1 als %2</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message numerus="yes">
        <source>%1 in %n file(s)</source>
        <translation>
            <numerusform>%1 in %n Datei</numerusform>
            <numerusform>%1 in %n Dateien</numerusform>
        </translation>
    </message>
    <message>
        <source>tokenizer</source>
        <translation>Tokenizer</translation>
    </message>
    <message>
        <source>%1 tokens</source>
        <translation>%1 Tokens</translation>
    </message>
    <message>
        <source>chat template</source>
        <translation>Chat-Vorlage</translation>
    </message>
    <message>
        <source>Sharpness %1 and divergence %2 are computed from the mean softmax. Each is an L1 distance per layer, averaged over layers: sharpness from the uniform distribution, divergence between two domains. Effective fraction: exp(entropy) / number of experts. Cosine Q and A: between two domains&apos; top-k frequencies on question and answer tokens.</source>
        <translation>Schärfe %1 und Divergenz %2 sind aus dem mittleren Softmax berechnet. Beides ist ein L1-Abstand je Schicht, gemittelt über die Schichten: die Schärfe von der Gleichverteilung, die Divergenz zwischen zwei Domänen. Effektiver Anteil: exp(Entropie) / Zahl der Experten. Kosinus Q und A: zwischen den Top-k-Häufigkeiten zweier Domänen auf Frage- und Antwort-Tokens.</translation>
    </message>
    <message>
        <source>sharpness, softmax</source>
        <translation>Schärfe, Softmax</translation>
    </message>
    <message>
        <source>sharpness, top-k</source>
        <translation>Schärfe, Top-k</translation>
    </message>
    <message>
        <source>effective fraction</source>
        <translation>effektiver Anteil</translation>
    </message>
    <message>
        <source>from %1</source>
        <translation>von %1</translation>
    </message>
    <message>
        <source>%1 (cosine Q %2, A %3)</source>
        <translation>%1 (Kosinus Q %2, A %3)</translation>
    </message>
    <message>
        <source>Texts to measure on, one file per domain</source>
        <translation>Texte für die Messung, je Domäne eine Datei</translation>
    </message>
    <message>
        <source>Texts (*.txt *.jsonl *.json)</source>
        <translation>Texte (*.txt *.jsonl *.json)</translation>
    </message>
</context>
<context>
    <name>mooring::NewRunDialog</name>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Sa&amp;ve configuration...</source>
        <translation>Konfiguration &amp;speichern...</translation>
    </message>
    <message>
        <source>&amp;Start</source>
        <translation>&amp;Starten</translation>
    </message>
    <message>
        <source>Run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>&amp;Preset</source>
        <translation>&amp;Vorlage</translation>
    </message>
    <message>
        <source>Fills in the preset&apos;s values; model, data and output stay as they are.</source>
        <translation>Trägt die Werte der Vorlage ein; Modell, Daten und Ausgabe bleiben, wie sie sind.</translation>
    </message>
    <message>
        <source>choose one to fill in its values</source>
        <translation>eine wählen, um ihre Werte einzutragen</translation>
    </message>
    <message>
        <source>&amp;Name</source>
        <translation>&amp;Name</translation>
    </message>
    <message>
        <source>The run&apos;s name in lists.</source>
        <translation>Der Name des Laufs in Listen.</translation>
    </message>
    <message>
        <source>&amp;Output folder</source>
        <translation>&amp;Ausgabeordner</translation>
    </message>
    <message>
        <source>The run folder. If it already has a run, -2, -3, ... is appended.</source>
        <translation>Der Laufordner. Enthält er schon einen Lauf, wird -2, -3, ... angehängt.</translation>
    </message>
    <message>
        <source>Se&amp;ed</source>
        <translation>S&amp;eed</translation>
    </message>
    <message>
        <source>Sets the order of the samples and everything else that is random.</source>
        <translation>Bestimmt die Reihenfolge der Samples und alles andere Zufällige.</translation>
    </message>
    <message>
        <source>Model and data</source>
        <translation>Modell und Daten</translation>
    </message>
    <message>
        <source>&amp;Model folder</source>
        <translation>&amp;Modellordner</translation>
    </message>
    <message>
        <source>A Hugging Face folder with config.json, weights and tokenizer.</source>
        <translation>Ein Hugging-Face-Ordner mit config.json, Gewichten und Tokenizer.</translation>
    </message>
    <message>
        <source>&amp;Precision</source>
        <translation>&amp;Präzision</translation>
    </message>
    <message>
        <source>auto: fp32 on a CPU, bf16 on a GPU.</source>
        <translation>auto: fp32 auf einer CPU, bf16 auf einer GPU.</translation>
    </message>
    <message>
        <source>&amp;Training data</source>
        <translation>&amp;Trainingsdaten</translation>
    </message>
    <message>
        <source>Files of conversations or texts (.jsonl, .json, .csv, .parquet, .txt), separated by semicolons.</source>
        <translation>Dateien mit Dialogen oder Texten (.jsonl, .json, .csv, .parquet, .txt), durch Semikolons getrennt.</translation>
    </message>
    <message>
        <source>by &amp;file</source>
        <translation>je &amp;Datei</translation>
    </message>
    <message>
        <source>The weight and column mapping of each file.</source>
        <translation>Das Gewicht jeder Datei und was ihre Spalten enthalten.</translation>
    </message>
    <message>
        <source>Chec&amp;k rows...</source>
        <translation>Zeilen &amp;prüfen...</translation>
    </message>
    <message>
        <source>The first rows as tokens, with question and answer marked, and what is dropped and why.</source>
        <translation>Die ersten Zeilen als Tokens, mit Frage und Antwort markiert, und was warum verworfen wird.</translation>
    </message>
    <message>
        <source>&amp;Held-out data</source>
        <translation>&amp;Held-out-Daten</translation>
    </message>
    <message>
        <source>Files for measuring only, never trained on.</source>
        <translation>Dateien nur zum Messen, auf denen nie trainiert wird.</translation>
    </message>
    <message>
        <source>or a share</source>
        <translation>oder ein Anteil</translation>
    </message>
    <message>
        <source>Without held-out files, this share of the training rows is held out.</source>
        <translation>Ohne Held-out-Dateien wird dieser Anteil der Trainingszeilen zurückgehalten.</translation>
    </message>
    <message>
        <source>Ma&amp;ximum length</source>
        <translation>Höchst&amp;länge</translation>
    </message>
    <message>
        <source>Longer rows are dropped and counted.</source>
        <translation>Längere Zeilen werden verworfen und gezählt.</translation>
    </message>
    <message>
        <source>Steps and learning rate</source>
        <translation>Schritte und Lernrate</translation>
    </message>
    <message>
        <source>Steps</source>
        <translation>Schritte</translation>
    </message>
    <message>
        <source>Optimizer steps; 0 to use epochs.</source>
        <translation>Optimiererschritte; 0, um Epochen zu verwenden.</translation>
    </message>
    <message>
        <source>or epochs</source>
        <translation>oder Epochen</translation>
    </message>
    <message>
        <source>Passes over the training data; 0 to use steps.</source>
        <translation>Durchgänge durch die Trainingsdaten; 0, um Schritte zu verwenden.</translation>
    </message>
    <message>
        <source>&amp;Learning rate</source>
        <translation>&amp;Lernrate</translation>
    </message>
    <message>
        <source>The peak, after warm-up.</source>
        <translation>Der Höchstwert, nach dem Warm-up.</translation>
    </message>
    <message>
        <source>at the end</source>
        <translation>am Ende</translation>
    </message>
    <message>
        <source>The value at the end of the schedule; by default a tenth of the learning rate.</source>
        <translation>Der Wert am Ende des Verlaufs; ohne Angabe ein Zehntel der Lernrate.</translation>
    </message>
    <message>
        <source>Schedule</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>How the learning rate decays.</source>
        <translation>Wie die Lernrate abfällt.</translation>
    </message>
    <message>
        <source>&amp;Warm-up steps</source>
        <translation>&amp;Warm-up-Schritte</translation>
    </message>
    <message>
        <source>The learning rate rises from 0 over these steps.</source>
        <translation>Über diese Schritte steigt die Lernrate von 0 an.</translation>
    </message>
    <message>
        <source>Samples per step</source>
        <translation>Samples je Schritt</translation>
    </message>
    <message>
        <source>The global batch.</source>
        <translation>Der globale Batch.</translation>
    </message>
    <message>
        <source>per micro-batch</source>
        <translation>je Micro-Batch</translation>
    </message>
    <message>
        <source>The micro-batch: smaller needs less memory and gives the same results.</source>
        <translation>Der Micro-Batch: Kleiner braucht weniger Speicher und ergibt dieselben Ergebnisse.</translation>
    </message>
    <message>
        <source>Probe and saving</source>
        <translation>Messung und Speichern</translation>
    </message>
    <message>
        <source>P&amp;robe sets</source>
        <translation>M&amp;esstexte</translation>
    </message>
    <message>
        <source>One per line: name = file; file. Held-out texts on which the routing is measured.</source>
        <translation>Einer je Zeile: Name = Datei; Datei. Held-out-Texte, auf denen das Routing gemessen wird.</translation>
    </message>
    <message>
        <source>Tokens per set</source>
        <translation>Tokens je Satz</translation>
    </message>
    <message>
        <source>Whole texts in file order, up to about this many tokens.</source>
        <translation>Ganze Texte in der Reihenfolge der Datei, bis zu etwa so vielen Tokens.</translation>
    </message>
    <message>
        <source>Probe every</source>
        <translation>Messen alle</translation>
    </message>
    <message>
        <source>Steps between two probe frames and held-out losses.</source>
        <translation>Schritte zwischen zwei Routing-Messungen und Held-out-Verlusten.</translation>
    </message>
    <message>
        <source>Sa&amp;ve every</source>
        <translation>S&amp;peichern alle</translation>
    </message>
    <message>
        <source>Steps between two checkpoints; 0 for the end only.</source>
        <translation>Schritte zwischen zwei Checkpoints; 0 für nur am Ende.</translation>
    </message>
    <message>
        <source>The model&apos;s own template is used.</source>
        <translation>Die Vorlage des Modells wird verwendet.</translation>
    </message>
    <message>
        <source>The template %1 is used.</source>
        <translation>Die Vorlage %1 wird verwendet.</translation>
    </message>
    <message numerus="yes">
        <source>%n problem(s), shown next to their fields</source>
        <translation>
            <numerusform>%n Problem, neben seinem Feld angezeigt</numerusform>
            <numerusform>%n Probleme, neben ihren Feldern angezeigt</numerusform>
        </translation>
    </message>
    <message>
        <source>Save configuration</source>
        <translation>Konfiguration speichern</translation>
    </message>
    <message>
        <source>Run configurations (*.toml)</source>
        <translation>Laufkonfigurationen (*.toml)</translation>
    </message>
    <message>
        <source>Saved. To train without the window: mooring-cli train &quot;%1&quot;</source>
        <translation>Gespeichert. Ohne Fenster trainieren: mooring-cli train &quot;%1&quot;</translation>
    </message>
    <message>
        <source>random weights of %1</source>
        <translation>zufällige Gewichte von %1</translation>
    </message>
    <message>
        <source>drop or choose a folder</source>
        <translation>einen Ordner ablegen oder wählen</translation>
    </message>
    <message>
        <source>enter a number, as in 0.5 or 1e-5</source>
        <translation>geben Sie eine Zahl ein, etwa 0.5 oder 1e-5</translation>
    </message>
    <message>
        <source>What trains</source>
        <translation>Was trainiert</translation>
    </message>
    <message>
        <source>The whole model, only its routers, selected groups of weights, or low-rank adapters on frozen weights (LoRA).</source>
        <translation>Das ganze Modell, nur seine Router, ausgewählte Gruppen von Gewichten oder Low-Rank-Adapter auf eingefrorenen Gewichten (LoRA).</translation>
    </message>
    <message>
        <source>Groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>Any of %1, separated by commas.</source>
        <translation>Beliebige aus %1, durch Kommas getrennt.</translation>
    </message>
    <message>
        <source>Adapters on</source>
        <translation>Adapter an</translation>
    </message>
    <message>
        <source>Rank</source>
        <translation>Rang</translation>
    </message>
    <message>
        <source>Rank of the adapters: a higher rank can learn more and needs more memory.</source>
        <translation>Rang der Adapter: Ein höherer Rang kann mehr lernen und braucht mehr Speicher.</translation>
    </message>
    <message>
        <source>Alpha</source>
        <translation>Alpha</translation>
    </message>
    <message>
        <source>The adapters are scaled by alpha / rank.</source>
        <translation>Die Adapter werden mit alpha / Rang skaliert.</translation>
    </message>
    <message>
        <source>In numbers</source>
        <translation>In Zahlen</translation>
    </message>
    <message>
        <source>Trainable parameters by group, from the model&apos;s config.json.</source>
        <translation>Trainierbare Parameter nach Gruppe, aus der config.json des Modells.</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>An estimate from the model&apos;s tensors, part by part, compared with free device memory. The progress bar shows actual use during the run.</source>
        <translation>Eine Schätzung aus den Tensoren des Modells, Teil für Teil, verglichen mit dem freien Gerätespeicher. Die Fortschrittsanzeige zeigt während des Laufs den tatsächlichen Verbrauch.</translation>
    </message>
    <message>
        <source>No effect: applies only to &quot;%1&quot;.</source>
        <translation>Ohne Wirkung: gilt nur für „%1“.</translation>
    </message>
    <message>
        <source>No training setup of this model fits.</source>
        <translation>Keine Art, dieses Modell zu trainieren, passt.</translation>
    </message>
    <message>
        <source>Start from</source>
        <translation>Beginnen mit</translation>
    </message>
    <message>
        <source>Folder of a PEFT adapter of this model, which brings its own rank, alpha and targets. Leave empty for new adapters.</source>
        <translation>Ordner eines PEFT-Adapters dieses Modells, der Rang, Alpha und Ziele selbst mitbringt. Leer lassen für neue Adapter.</translation>
    </message>
    <message>
        <source>No effect: the adapter to start from sets it.</source>
        <translation>Ohne Wirkung: Der Adapter, mit dem begonnen wird, legt es fest.</translation>
    </message>
</context>
<context>
    <name>mooring::OpenComparison</name>
    <message>
        <source>open runs</source>
        <translation>offene Läufe</translation>
    </message>
    <message>
        <source>%1 — Mooring</source>
        <translation>%1 — Mooring</translation>
    </message>
</context>
<context>
    <name>mooring::OverlapView</name>
    <message>
        <source>step of the run</source>
        <translation>Schritt des Laufs</translation>
    </message>
    <message>
        <source>mean top-k overlap with the base, %1</source>
        <translation>mittlere Top-k-Überlappung mit der Basis, %1</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>probe tokens at step %1, text by text; the marks above the cells separate texts</source>
        <translation>Mess-Tokens bei Schritt %1, Text für Text; die Marken über den Zellen trennen die Texte</translation>
    </message>
    <message>
        <source>the token&apos;s top-k overlap with the base, probe, bias-free</source>
        <translation>Top-k-Überlappung des Tokens mit der Basis, Messung, ohne Bias</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>position within the text at step %1, mean over texts</source>
        <translation>Position im Text bei Schritt %1, Mittel über die Texte</translation>
    </message>
    <message>
        <source>mean top-k overlap with the base, probe, bias-free</source>
        <translation>mittlere Top-k-Überlappung mit der Basis, Messung, ohne Bias</translation>
    </message>
    <message>
        <source>layer %1 · step %2</source>
        <translation>Schicht %1 · Schritt %2</translation>
    </message>
    <message>
        <source>overlap with the base</source>
        <translation>Überlappung mit der Basis</translation>
    </message>
    <message>
        <source>since step %1</source>
        <translation>seit Schritt %1</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>layer %1 · token %2</source>
        <translation>Schicht %1 · Token %2</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>base experts</source>
        <translation>Basis-Experten</translation>
    </message>
    <message>
        <source>tuned experts</source>
        <translation>trainierte Experten</translation>
    </message>
    <message>
        <source>, text %1, token %2</source>
        <translation>, Text %1, Token %2</translation>
    </message>
    <message>
        <source>, question</source>
        <translation>, Frage</translation>
    </message>
    <message>
        <source>, answer</source>
        <translation>, Antwort</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>layer %1 · position %2</source>
        <translation>Schicht %1 · Position %2</translation>
    </message>
    <message>
        <source>mean overlap</source>
        <translation>mittlere Überlappung</translation>
    </message>
    <message>
        <source>over</source>
        <translation>über</translation>
    </message>
    <message>
        <source>%1 of the texts</source>
        <translation>%1 der Texte</translation>
    </message>
    <message>
        <source>Top-k overlap with the base router</source>
        <translation>Top-k-Überlappung mit dem Basis-Router</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>position</source>
        <translation>Position</translation>
    </message>
    <message>
        <source>span</source>
        <translation>Span</translation>
    </message>
    <message>
        <source>Tokens</source>
        <translation>Tokens</translation>
    </message>
    <message>
        <source>Span</source>
        <translation>Span</translation>
    </message>
    <message>
        <source>d&amp;omain</source>
        <translation>D&amp;omäne</translation>
    </message>
    <message>
        <source>Overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>The share of a token&apos;s base experts that it is still routed to; 1 is the base router itself. Look for layers that drop first, and for tokens that left all their experts.</source>
        <translation>Der Anteil der Basis-Experten eines Tokens, zu denen es noch geleitet wird; 1 ist der Basis-Router selbst. Achten Sie auf Schichten, die zuerst fallen, und auf Tokens, die alle ihre Experten verlassen haben.</translation>
    </message>
    <message>
        <source>To&amp;kens in order</source>
        <translation>To&amp;kens der Reihe nach</translation>
    </message>
    <message>
        <source>Every probe token, text by text</source>
        <translation>Jedes Mess-Token, Text für Text</translation>
    </message>
    <message>
        <source>&amp;Mean by position</source>
        <translation>&amp;Mittel je Position</translation>
    </message>
    <message>
        <source>Mean over texts at each position</source>
        <translation>Mittel über die Texte an jeder Position</translation>
    </message>
    <message>
        <source>Q + A</source>
        <translation>Q + A</translation>
    </message>
    <message>
        <source>All tokens</source>
        <translation>Alle Tokens</translation>
    </message>
    <message>
        <source>&amp;Q</source>
        <translation>&amp;Q</translation>
    </message>
    <message>
        <source>Question tokens only</source>
        <translation>Nur Frage-Tokens</translation>
    </message>
    <message>
        <source>&amp;A</source>
        <translation>&amp;A</translation>
    </message>
    <message>
        <source>Answer tokens only</source>
        <translation>Nur Antwort-Tokens</translation>
    </message>
    <message>
        <source>Overlap heat map, layers by steps of the run</source>
        <translation>Heatmap der Überlappung, Schichten mal Schritte des Laufs</translation>
    </message>
    <message>
        <source>Overlap heat map, layers by probe tokens</source>
        <translation>Heatmap der Überlappung, Schichten mal Mess-Tokens</translation>
    </message>
    <message>
        <source>No routing to compare yet</source>
        <translation>Noch kein Routing zu vergleichen</translation>
    </message>
    <message>
        <source>Open a run or a snapshot, or try the demo, which starts training within a minute.</source>
        <translation>Öffnen Sie einen Lauf oder einen Snapshot, oder probieren Sie die Demo aus, die innerhalb einer Minute zu trainieren beginnt.</translation>
    </message>
    <message>
        <source>&amp;Try the demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>The base&apos;s choices are not stored</source>
        <translation>Die Wahl der Basis ist nicht gespeichert</translation>
    </message>
    <message>
        <source>Overlap on training tokens needs the base&apos;s choices from the prior pass (prior.store_choices). Show the probe instead, or start a run that stores them.</source>
        <translation>Die Überlappung auf Trainingstokens braucht die Wahl der Basis aus dem Prior-Durchgang (prior.store_choices). Zeigen Sie stattdessen die Messung, oder starten Sie einen Lauf, der sie speichert.</translation>
    </message>
    <message>
        <source>&amp;New run</source>
        <translation>&amp;Neuer Lauf</translation>
    </message>
    <message>
        <source>No probe of the tuned model yet</source>
        <translation>Noch keine Messung des trainierten Modells</translation>
    </message>
    <message>
        <source>Overlap appears with the first probe of the tuned model. If the run has no probe texts, show training tokens instead.</source>
        <translation>Die Überlappung erscheint mit der ersten Messung des trainierten Modells. Hat der Lauf keine Messtexte, zeigen Sie stattdessen die Trainingstokens.</translation>
    </message>
    <message>
        <source>Choose &amp;probe texts</source>
        <translation>&amp;Messtexte wählen</translation>
    </message>
    <message>
        <source>range locked</source>
        <translation>Bereich gesperrt</translation>
    </message>
    <message>
        <source>range kept across frames</source>
        <translation>Bereich über die Messungen beibehalten</translation>
    </message>
</context>
<context>
    <name>mooring::OverviewView</name>
    <message>
        <source>Overview</source>
        <translation>Überblick</translation>
    </message>
    <message>
        <source>Every metric of the run over its steps. Look for overlap that falls along with the cross-entropy: the new skill is then replacing the base&apos;s routing.</source>
        <translation>Jede Kennzahl des Laufs über seine Schritte. Achten Sie auf eine Überlappung, die zusammen mit der Kreuzentropie fällt: Dann verdrängt die neue Fähigkeit das Routing der Basis.</translation>
    </message>
    <message>
        <source>C&amp;harts</source>
        <translation>D&amp;iagramme</translation>
    </message>
    <message>
        <source>Which charts are shown</source>
        <translation>Welche Diagramme gezeigt werden</translation>
    </message>
    <message>
        <source>&amp;Log axis</source>
        <translation>&amp;Logarithmische Achse</translation>
    </message>
    <message>
        <source>Logarithmic value axis, where a chart allows it</source>
        <translation>Logarithmische Werteachse, wo ein Diagramm sie zulässt</translation>
    </message>
    <message>
        <source>s&amp;moothing</source>
        <translation>&amp;Glättung</translation>
    </message>
    <message>
        <source>Smoothing</source>
        <translation>Glättung</translation>
    </message>
    <message>
        <source>Smoothing of the thick line; 0 disables it</source>
        <translation>Glättung der dicken Linie; 0 schaltet sie ab</translation>
    </message>
    <message>
        <source>&amp;All</source>
        <translation>&amp;Alle</translation>
    </message>
    <message>
        <source>&amp;The first six</source>
        <translation>&amp;Die ersten sechs</translation>
    </message>
    <message>
        <source>No run yet</source>
        <translation>Noch kein Lauf zu zeigen</translation>
    </message>
    <message>
        <source>Open a run or a snapshot, or try the demo, which starts training within a minute.</source>
        <translation>Öffnen Sie einen Lauf oder einen Snapshot, oder probieren Sie die Demo aus, die innerhalb einer Minute zu trainieren beginnt.</translation>
    </message>
    <message>
        <source>&amp;Try the demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>No steps yet</source>
        <translation>Noch kein Schritt</translation>
    </message>
    <message>
        <source>The curves start with the run&apos;s first step. Before that, the base is loaded and the prior is computed.</source>
        <translation>Die Kurven beginnen mit dem ersten Schritt des Laufs. Davor wird die Basis geladen und der Prior berechnet.</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
</context>
<context>
    <name>mooring::PathOpener</name>
    <message>
        <source>Open a model folder</source>
        <translation>Einen Modellordner öffnen</translation>
    </message>
    <message>
        <source>Open a run, snapshot or study folder</source>
        <translation>Einen Lauf-, Snapshot- oder Studienordner öffnen</translation>
    </message>
    <message>
        <source>Open training data</source>
        <translation>Trainingsdaten öffnen</translation>
    </message>
    <message>
        <source>Data (*.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.txt *.gz)</source>
        <translation>Daten (*.jsonl *.ndjson *.json *.csv *.tsv *.parquet *.txt *.gz)</translation>
    </message>
    <message>
        <source>Open a snapshot or a configuration</source>
        <translation>Einen Snapshot oder eine Konfiguration öffnen</translation>
    </message>
    <message>
        <source>Snapshots and configurations (*.mooring.zip *.zip *.toml)</source>
        <translation>Snapshots und Konfigurationen (*.mooring.zip *.zip *.toml)</translation>
    </message>
    <message>
        <source>Opening %1</source>
        <translation>Öffne %1</translation>
    </message>
    <message>
        <source>%1 is not a snapshot: a snapshot has a manifest.json and frames.</source>
        <translation>%1 ist kein Snapshot: Ein Snapshot hat eine manifest.json und Messungen (frames).</translation>
    </message>
</context>
<context>
    <name>mooring::PathTexts</name>
    <message>
        <source>Mooring cannot open %1: choose a data file (.jsonl, .json, .csv, .parquet, .txt), a run configuration (.toml) or a snapshot (.mooring.zip).</source>
        <translation>Mooring kann %1 nicht öffnen: Wählen Sie eine Datendatei (.jsonl, .json, .csv, .parquet, .txt), eine Laufkonfiguration (.toml) oder einen Snapshot (.mooring.zip).</translation>
    </message>
    <message>
        <source>%1 does not exist: check the path.</source>
        <translation>%1 gibt es nicht: Prüfen Sie den Pfad.</translation>
    </message>
    <message>
        <source>%1 has no model (config.json), run, snapshot (manifest.json) or study: open a folder that has one.</source>
        <translation>%1 enthält kein Modell (config.json), keinen Lauf, keinen Snapshot (manifest.json) und keine Studie: Öffnen Sie einen Ordner mit einem davon.</translation>
    </message>
</context>
<context>
    <name>mooring::ProgressStrip</name>
    <message>
        <source>step %1 of %2</source>
        <translation>Schritt %1 von %2</translation>
    </message>
    <message>
        <source>paused, %1</source>
        <translation>angehalten, %1</translation>
    </message>
    <message>
        <source>step %1 of %2 · %3</source>
        <translation>Schritt %1 von %2 · %3</translation>
    </message>
    <message>
        <source>%1, %2 of %3</source>
        <translation>%1, %2 von %3</translation>
    </message>
    <message>
        <source>Progress of the run</source>
        <translation>Fortschritt des Laufs</translation>
    </message>
    <message>
        <source>Memory of this process, or of the device</source>
        <translation>Speicher dieses Prozesses oder des Geräts</translation>
    </message>
    <message>
        <source>%1 left</source>
        <translation>noch %1</translation>
    </message>
    <message>
        <source>Memory of this process, or of the device. The estimate for the run alone was %1.</source>
        <translation>Speicher dieses Prozesses oder des Geräts. Die Schätzung für den Lauf allein war %1.</translation>
    </message>
</context>
<context>
    <name>mooring::ReadyPage</name>
    <message>
        <source>none: the routing views show training tokens only</source>
        <translation>keine: Die Routing-Ansichten zeigen nur Trainingstokens</translation>
    </message>
    <message>
        <source>%1, every %2 steps</source>
        <translation>%1, alle %2 Schritte</translation>
    </message>
    <message>
        <source>%1 to %2</source>
        <translation>%1 auf %2</translation>
    </message>
    <message>
        <source>at %1 % of the run</source>
        <translation>bei %1 % des Laufs</translation>
    </message>
    <message>
        <source>at step %1</source>
        <translation>bei Schritt %1</translation>
    </message>
    <message>
        <source>, reached at %1 %</source>
        <translation>, erreicht bei %1 %</translation>
    </message>
    <message>
        <source>, over %1 steps</source>
        <translation>, über %1 Schritte</translation>
    </message>
    <message>
        <source>, beta %1</source>
        <translation>, Beta %1</translation>
    </message>
    <message>
        <source>, strength %1</source>
        <translation>, Stärke %1</translation>
    </message>
    <message>
        <source>%1 steps</source>
        <translation>%1 Schritte</translation>
    </message>
    <message>
        <source>%1 epochs</source>
        <translation>%1 Epochen</translation>
    </message>
    <message>
        <source>%1; %2 of %3 samples, learning rate %4.</source>
        <translation>%1; %2 zu %3 Samples, Lernrate %4.</translation>
    </message>
    <message>
        <source>&amp;Start the run</source>
        <translation>&amp;Lauf starten</translation>
    </message>
    <message>
        <source>&amp;Change...</source>
        <translation>Ä&amp;ndern...</translation>
    </message>
    <message>
        <source>%1 is ready to start</source>
        <translation>%1 ist startbereit</translation>
    </message>
    <message>
        <source>model</source>
        <translation>Modell</translation>
    </message>
    <message>
        <source>random weights of %1</source>
        <translation>zufällige Gewichte von %1</translation>
    </message>
    <message>
        <source>training data</source>
        <translation>Trainingsdaten</translation>
    </message>
    <message>
        <source>held-out data</source>
        <translation>Held-out-Daten</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>planned changes</source>
        <translation>geplante Änderungen</translation>
    </message>
    <message>
        <source>run folder</source>
        <translation>Laufordner</translation>
    </message>
</context>
<context>
    <name>mooring::RunPhase</name>
    <message>
        <source>starting</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>loading the model</source>
        <translation>Laden des Modells</translation>
    </message>
    <message>
        <source>reading the data</source>
        <translation>Lesen der Daten</translation>
    </message>
    <message>
        <source>measuring the base&apos;s routing</source>
        <translation>Messung des Basis-Routings</translation>
    </message>
    <message>
        <source>prior pass</source>
        <translation>Prior-Durchgang</translation>
    </message>
    <message>
        <source>prior pass, held-out rows</source>
        <translation>Prior-Durchgang, Held-out-Zeilen</translation>
    </message>
    <message>
        <source>loading the base again</source>
        <translation>erneutes Laden der Basis</translation>
    </message>
    <message>
        <source>comparing the first loss with the base&apos;s</source>
        <translation>Vergleich des ersten Verlusts mit dem der Basis</translation>
    </message>
    <message>
        <source>trying the longest batch, step %1</source>
        <translation>Probe des längsten Batches, Schritt %1</translation>
    </message>
    <message>
        <source>training</source>
        <translation>Training</translation>
    </message>
    <message>
        <source>paused</source>
        <translation>angehalten</translation>
    </message>
    <message>
        <source>held-out loss</source>
        <translation>Held-out-Verlust</translation>
    </message>
    <message>
        <source>probe</source>
        <translation>Messung</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>snapshot</source>
        <translation>Snapshot</translation>
    </message>
    <message>
        <source>evaluating %1</source>
        <translation>Evaluation von %1</translation>
    </message>
    <message>
        <source>sampling</source>
        <translation>Sampling</translation>
    </message>
    <message>
        <source>testing communities</source>
        <translation>Prüfung der Communities</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>abgeschlossen</translation>
    </message>
</context>
<context>
    <name>mooring::RunStarter</name>
    <message>
        <source>%1 is still training. Stop it before starting another run; only one model trains at a time.</source>
        <translation>%1 trainiert noch. Stoppen Sie ihn, bevor Sie einen anderen Lauf starten; es trainiert immer nur ein Modell.</translation>
    </message>
    <message>
        <source>A base model is being measured. The run can start when that has finished.</source>
        <translation>Ein Basismodell wird gemessen. Der Lauf kann beginnen, wenn das beendet ist.</translation>
    </message>
    <message>
        <source>Resume %1</source>
        <translation>%1 fortsetzen</translation>
    </message>
    <message>
        <source>%1. Which settings should apply from here on?</source>
        <translation>%1. Welche Einstellungen sollen ab hier gelten?</translation>
    </message>
    <message>
        <source>From &amp;run.toml</source>
        <translation>Aus der &amp;run.toml</translation>
    </message>
    <message>
        <source>From the &amp;checkpoint</source>
        <translation>Aus dem &amp;Checkpoint</translation>
    </message>
    <message>
        <source>Fork of %1 at step %2</source>
        <translation>Fork von %1 bei Schritt %2</translation>
    </message>
    <message>
        <source>Fork of %1</source>
        <translation>Fork von %1</translation>
    </message>
    <message>
        <source>New run</source>
        <translation>Neuer Lauf</translation>
    </message>
    <message>
        <source>Change the configuration</source>
        <translation>Die Konfiguration ändern</translation>
    </message>
</context>
<context>
    <name>mooring::RunsDock</name>
    <message>
        <source>starting</source>
        <translation>Start</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>%1
Fork of %2 at step %3</source>
        <translation>%1
Fork von %2 bei Schritt %3</translation>
    </message>
    <message>
        <source>Runs and snapshots</source>
        <translation>Läufe und Snapshots</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>TVD</source>
        <translation>TVD</translation>
    </message>
    <message>
        <source>JSD</source>
        <translation>JSD</translation>
    </message>
    <message>
        <source>NMI</source>
        <translation>NMI</translation>
    </message>
    <message>
        <source>Q (base)</source>
        <translation>Q (Basis)</translation>
    </message>
    <message>
        <source>router drift</source>
        <translation>Router-Drift</translation>
    </message>
    <message>
        <source>%1
Check it to overlay it on the shown run in Overview.</source>
        <translation>%1
Anhaken, um ihn im Überblick über den gezeigten Lauf zu legen.</translation>
    </message>
    <message>
        <source>Double-click or press Enter to open %1</source>
        <translation>Doppelklick oder Eingabetaste öffnet %1</translation>
    </message>
    <message>
        <source>RUNS</source>
        <translation>LÄUFE</translation>
    </message>
    <message>
        <source>SNAPSHOTS</source>
        <translation>SNAPSHOTS</translation>
    </message>
    <message>
        <source>Show the &amp;folder</source>
        <translation>Den &amp;Ordner zeigen</translation>
    </message>
    <message>
        <source>&amp;Resume from the last checkpoint</source>
        <translation>Vom &amp;letzten Checkpoint fortsetzen</translation>
    </message>
    <message>
        <source>&amp;Fork...</source>
        <translation>&amp;Fork...</translation>
    </message>
    <message>
        <source>&amp;Close</source>
        <translation>&amp;Schließen</translation>
    </message>
    <message>
        <source>It is training; stop it first.</source>
        <translation>Er trainiert; stoppen Sie ihn zuerst.</translation>
    </message>
    <message>
        <source>RETENTION AT STEP %1</source>
        <translation>ERHALT BEI SCHRITT %1</translation>
    </message>
    <message>
        <source>%1 nats</source>
        <translation>%1 Nats</translation>
    </message>
    <message>
        <source>%1 (%2)</source>
        <translation>%1 (%2)</translation>
    </message>
    <message>
        <source>Means over layers on the probe domain %1, compared with the frozen base</source>
        <translation>Mittel über die Schichten auf der Messdomäne %1, verglichen mit der eingefrorenen Basis</translation>
    </message>
</context>
<context>
    <name>mooring::ScatterCanvas</name>
    <message>
        <source>Scatter plot of runs; arrow keys move between runs, Enter opens one</source>
        <translation>Streudiagramm der Läufe; Pfeiltasten gehen von Lauf zu Lauf, die Eingabetaste öffnet einen</translation>
    </message>
    <message>
        <source>the base model</source>
        <translation>das Basismodell</translation>
    </message>
    <message numerus="yes">
        <source>mean of %n run(s)</source>
        <translation>
            <numerusform>Mittel aus %n Lauf</numerusform>
            <numerusform>Mittel aus %n Läufen</numerusform>
        </translation>
    </message>
    <message>
        <source>%1 · step %2</source>
        <translation>%1 · Schritt %2</translation>
    </message>
    <message>
        <source>no run has both values</source>
        <translation>kein Lauf hat beide Werte</translation>
    </message>
</context>
<context>
    <name>mooring::ScheduleLines</name>
    <message>
        <source>not understood; write it like: at 0.5: beta = 0 until 0.9</source>
        <translation>nicht verstanden; schreiben Sie etwa: at 0.5: beta = 0 until 0.9</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a number</source>
        <translation>„%1“ ist keine Zahl</translation>
    </message>
    <message>
        <source>&quot;%1&quot; is not a change; write it like: beta = 0, lr_scale = 0.5</source>
        <translation>„%1“ ist keine Änderung; schreiben Sie etwa: beta = 0, lr_scale = 0.5</translation>
    </message>
</context>
<context>
    <name>mooring::SessionDisplay</name>
    <message>
        <source>%1 writes to %2</source>
        <translation>%1 schreibt nach %2</translation>
    </message>
    <message>
        <source>Mooring</source>
        <translation>Mooring</translation>
    </message>
    <message>
        <source>%1 — Mooring</source>
        <translation>%1 — Mooring</translation>
    </message>
    <message>
        <source>%1: %2</source>
        <translation>%1: %2</translation>
    </message>
    <message>
        <source>%1 has ended and is saved.</source>
        <translation>%1 ist beendet und gespeichert.</translation>
    </message>
</context>
<context>
    <name>mooring::SnapshotActions</name>
    <message>
        <source>Export snapshot</source>
        <translation>Snapshot exportieren</translation>
    </message>
    <message>
        <source>Snapshots (*.mooring.zip)</source>
        <translation>Snapshots (*.mooring.zip)</translation>
    </message>
    <message>
        <source>Snapshot written: %1</source>
        <translation>Snapshot geschrieben: %1</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>Den Ordner zeigen</translation>
    </message>
</context>
<context>
    <name>mooring::SnapshotExport</name>
    <message>
        <source>Writing the snapshot</source>
        <translation>Schreibe den Snapshot</translation>
    </message>
    <message>
        <source>tables and graphs</source>
        <translation>Tabellen und Graphen</translation>
    </message>
    <message>
        <source>verifying it</source>
        <translation>prüfe ihn</translation>
    </message>
    <message>
        <source>Packing %1</source>
        <translation>Packe %1</translation>
    </message>
</context>
<context>
    <name>mooring::StartPage</name>
    <message>
        <source>See and steer what post-training does to routing</source>
        <translation>Sehen und steuern, was Post-Training mit dem Routing macht</translation>
    </message>
    <message>
        <source>Mooring fine-tunes a mixture-of-experts model and compares its router with the base router as it trains. Drop a model folder, data file, run or snapshot here.</source>
        <translation>Mooring trainiert ein Mixture-of-Experts-Modell nach und vergleicht dabei seinen Router mit dem Basis-Router. Legen Sie hier einen Modellordner, eine Datendatei, einen Lauf oder einen Snapshot ab.</translation>
    </message>
    <message>
        <source>Try the demo</source>
        <translation>Demo ausprobieren</translation>
    </message>
    <message>
        <source>A small model that trains on this machine&apos;s CPU in a few minutes.</source>
        <translation>Ein kleines Modell, das auf der CPU dieses Rechners in wenigen Minuten trainiert.</translation>
    </message>
    <message>
        <source>Open a model folder</source>
        <translation>Einen Modellordner öffnen</translation>
    </message>
    <message>
        <source>A Hugging Face folder with config.json and weights: inspect its router or start a run.</source>
        <translation>Ein Hugging-Face-Ordner mit config.json und Gewichten: seinen Router ansehen oder einen Lauf starten.</translation>
    </message>
    <message>
        <source>Open a run or snapshot</source>
        <translation>Einen Lauf oder Snapshot öffnen</translation>
    </message>
    <message>
        <source>A run folder, live or finished, a snapshot folder or a .mooring.zip.</source>
        <translation>Ein Laufordner, live oder abgeschlossen, ein Snapshot-Ordner oder eine .mooring.zip.</translation>
    </message>
    <message>
        <source>RECENT</source>
        <translation>ZULETZT</translation>
    </message>
</context>
<context>
    <name>mooring::StatusStrip</name>
    <message>
        <source>last checkpoint step %1</source>
        <translation>letzter Checkpoint Schritt %1</translation>
    </message>
    <message>
        <source>no checkpoint yet</source>
        <translation>noch kein Checkpoint</translation>
    </message>
    <message>
        <source>%1 trainable of %2</source>
        <translation>%1 von %2 trainierbar</translation>
    </message>
    <message>
        <source>used %1 of memory, estimated %2</source>
        <translation>belegte %1 Speicher, geschätzt %2</translation>
    </message>
    <message>
        <source>last probe step %1</source>
        <translation>letzte Messung Schritt %1</translation>
    </message>
</context>
<context>
    <name>mooring::TermsEditor</name>
    <message>
        <source>&amp;Add a penalty</source>
        <translation>Strafterm &amp;hinzufügen</translation>
    </message>
    <message>
        <source>Additional penalty</source>
        <translation>Zusätzlicher Strafterm</translation>
    </message>
    <message>
        <source>Strength of the penalty</source>
        <translation>Stärke des Strafterms</translation>
    </message>
    <message>
        <source>Remove this penalty</source>
        <translation>Diesen Strafterm entfernen</translation>
    </message>
    <message>
        <source>Remove the penalty</source>
        <translation>Den Strafterm entfernen</translation>
    </message>
    <message>
        <source>Another penalty in the loss, on top of the method</source>
        <translation>Ein weiterer Strafterm im Verlust, zusätzlich zur Methode</translation>
    </message>
    <message>
        <source>All penalties are already listed</source>
        <translation>Alle Strafterme sind schon aufgeführt</translation>
    </message>
</context>
<context>
    <name>mooring::Texts</name>
    <message>
        <source>%1k tok/s</source>
        <translation>%1k Tok/s</translation>
    </message>
    <message>
        <source>%1 tok/s</source>
        <translation>%1 Tok/s</translation>
    </message>
    <message>
        <source>%1 B</source>
        <translation>%1 Mrd.</translation>
    </message>
    <message>
        <source>%1 M</source>
        <translation>%1 Mio.</translation>
    </message>
    <message>
        <source>running</source>
        <translation>läuft</translation>
    </message>
    <message>
        <source>%1 %</source>
        <translation>%1 %</translation>
    </message>
    <message>
        <source>paused, %1</source>
        <translation>angehalten, %1</translation>
    </message>
    <message>
        <source>finished</source>
        <translation>abgeschlossen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>gestoppt</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>interrupted</source>
        <translation>unterbrochen</translation>
    </message>
</context>
<context>
    <name>mooring::TimelineWidget</name>
    <message>
        <source>Stop playing the frames</source>
        <translation>Das Abspielen der Messungen anhalten</translation>
    </message>
    <message>
        <source>Play the frames</source>
        <translation>Die Messungen abspielen</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Stopp</translation>
    </message>
    <message>
        <source>Play the probe frames from here</source>
        <translation>Die Messungen ab hier abspielen</translation>
    </message>
    <message>
        <source>Timeline: step %1 of %2</source>
        <translation>Zeitleiste: Schritt %1 von %2</translation>
    </message>
    <message>
        <source>The newest step is shown.</source>
        <translation>Der neueste Schritt wird gezeigt.</translation>
    </message>
    <message>
        <source>An earlier step is shown. Press End for the newest.</source>
        <translation>Ein früherer Schritt wird gezeigt. Ende drücken für den neuesten.</translation>
    </message>
    <message>
        <source>step %1: %2</source>
        <translation>Schritt %1: %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>the base, before step 1</source>
        <translation>die Basis, vor Schritt 1</translation>
    </message>
    <message>
        <source>step %1, a probe frame</source>
        <translation>Schritt %1, eine Messung</translation>
    </message>
</context>
<context>
    <name>mooring::TokenCount</name>
    <message>
        <source>Counting tokens</source>
        <translation>Zähle Tokens</translation>
    </message>
</context>
<context>
    <name>mooring::TransitionsView</name>
    <message>
        <source>expert of a token</source>
        <translation>Experte eines Tokens</translation>
    </message>
    <message>
        <source>expert in layer %1</source>
        <translation>Experte in Schicht %1</translation>
    </message>
    <message>
        <source>expert of the next token</source>
        <translation>Experte des nächsten Tokens</translation>
    </message>
    <message>
        <source>expert in the next MoE layer, %1</source>
        <translation>Experte in der nächsten MoE-Schicht, %1</translation>
    </message>
    <message>
        <source>%1, by base community</source>
        <translation>%1, nach Basis-Community</translation>
    </message>
    <message>
        <source>transitions relative to chance</source>
        <translation>Übergänge relativ zum Zufall</translation>
    </message>
    <message>
        <source>share of transitions</source>
        <translation>Anteil der Übergänge</translation>
    </message>
    <message>
        <source>%1, tuned minus base</source>
        <translation>%1, trainiert minus Basis</translation>
    </message>
    <message>
        <source>%1, tuned</source>
        <translation>%1, trainiert</translation>
    </message>
    <message>
        <source>%1, base</source>
        <translation>%1, Basis</translation>
    </message>
    <message>
        <source>base communities</source>
        <translation>Basis-Communities</translation>
    </message>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>TVD</source>
        <translation>TVD</translation>
    </message>
    <message>
        <source>overlap</source>
        <translation>Überlappung</translation>
    </message>
    <message>
        <source>NMI</source>
        <translation>NMI</translation>
    </message>
    <message>
        <source>ceiling</source>
        <translation>Obergrenze</translation>
    </message>
    <message>
        <source>Q</source>
        <translation>Q</translation>
    </message>
    <message>
        <source>base Q</source>
        <translation>Q der Basis</translation>
    </message>
    <message>
        <source>stays</source>
        <translation>bleibt</translation>
    </message>
    <message>
        <source>base</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source> %</source>
        <translation> %</translation>
    </message>
    <message>
        <source>mean</source>
        <translation>Mittel</translation>
    </message>
    <message>
        <source>layer %1</source>
        <translation>Schicht %1</translation>
    </message>
    <message>
        <source>TVD %1, JSD %2 nats</source>
        <translation>TVD %1, JSD %2 Nats</translation>
    </message>
    <message>
        <source>%1 % of the base&apos;s transitions remain</source>
        <translation>%1 % der Übergänge der Basis bleiben</translation>
    </message>
    <message>
        <source>NMI %1</source>
        <translation>NMI %1</translation>
    </message>
    <message>
        <source>NMI %1 (ceiling %2)</source>
        <translation>NMI %1 (Obergrenze %2)</translation>
    </message>
    <message>
        <source>Q %1, base %2</source>
        <translation>Q %1, Basis %2</translation>
    </message>
    <message>
        <source>Q of the base %1</source>
        <translation>Q der Basis %1</translation>
    </message>
    <message>
        <source> (null %1 ± %2)</source>
        <translation> (Zufall %1 ± %2)</translation>
    </message>
    <message>
        <source>%1 pairs</source>
        <translation>%1 Paare</translation>
    </message>
    <message>
        <source>rho %1, resolution %2, detector seed %3</source>
        <translation>rho %1, Auflösung %2, Detektor-Seed %3</translation>
    </message>
    <message>
        <source>expert %1 → expert %2</source>
        <translation>Experte %1 → Experte %2</translation>
    </message>
    <message>
        <source>communities %1, %2</source>
        <translation>Communities %1, %2</translation>
    </message>
    <message>
        <source>%1 of %2</source>
        <translation>%1 von %2</translation>
    </message>
    <message>
        <source>lift %1</source>
        <translation>Lift %1</translation>
    </message>
    <message>
        <source>%1 ‰</source>
        <translation>%1 ‰</translation>
    </message>
    <message>
        <source>tuned</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>%1  (%2)</source>
        <translation>%1  (%2)</translation>
    </message>
    <message>
        <source>the same expert again; not an edge of the graph</source>
        <translation>derselbe Experte noch einmal; keine Kante des Graphen</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>to the next</source>
        <translation>zum nächsten</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>base count</source>
        <translation>Anzahl Basis</translation>
    </message>
    <message>
        <source>tuned count</source>
        <translation>Anzahl trainiert</translation>
    </message>
    <message>
        <source>from community</source>
        <translation>von Community</translation>
    </message>
    <message>
        <source>to community</source>
        <translation>zu Community</translation>
    </message>
    <message>
        <source>values</source>
        <translation>Werte</translation>
    </message>
    <message>
        <source>token</source>
        <translation>Token</translation>
    </message>
    <message>
        <source>to the next token</source>
        <translation>zum nächsten Token</translation>
    </message>
    <message>
        <source>to the next layer</source>
        <translation>zur nächsten Schicht</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Dargestellt</translation>
    </message>
    <message>
        <source>Transitions</source>
        <translation>Übergänge</translation>
    </message>
    <message>
        <source>d&amp;omain</source>
        <translation>D&amp;omäne</translation>
    </message>
    <message>
        <source>la&amp;yer</source>
        <translation>Sch&amp;icht</translation>
    </message>
    <message>
        <source>&amp;values</source>
        <translation>&amp;Werte</translation>
    </message>
    <message>
        <source>Which experts follow which while an answer is written. Blocks on the diagonal are paths that stay within a community. Look for blocks that fade and for new ones off the diagonal.</source>
        <translation>Welche Experten beim Schreiben einer Antwort auf welche folgen. Blöcke auf der Diagonale sind Pfade, die in einer Community bleiben. Achten Sie auf Blöcke, die verblassen, und auf neue abseits der Diagonale.</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>&amp;Differenz</translation>
    </message>
    <message>
        <source>Tuned minus base, centered at zero</source>
        <translation>Trainiert minus Basis, um null zentriert</translation>
    </message>
    <message>
        <source>T&amp;uned</source>
        <translation>T&amp;rainiert</translation>
    </message>
    <message>
        <source>The model as it is at this step</source>
        <translation>Das Modell, wie es bei diesem Schritt ist</translation>
    </message>
    <message>
        <source>B&amp;ase</source>
        <translation>B&amp;asis</translation>
    </message>
    <message>
        <source>The frozen base model</source>
        <translation>Das eingefrorene Basismodell</translation>
    </message>
    <message>
        <source>Next &amp;token</source>
        <translation>Nächstes &amp;Token</translation>
    </message>
    <message>
        <source>From an answer token&apos;s experts to the next token&apos;s, in the same layer</source>
        <translation>Von den Experten eines Antwort-Tokens zu denen des nächsten Tokens, in derselben Schicht</translation>
    </message>
    <message>
        <source>&amp;Next layer</source>
        <translation>&amp;Nächste Schicht</translation>
    </message>
    <message>
        <source>From an answer token&apos;s experts to its experts in the next MoE layer</source>
        <translation>Von den Experten eines Antwort-Tokens zu seinen Experten in der nächsten MoE-Schicht</translation>
    </message>
    <message>
        <source>share</source>
        <translation>Anteil</translation>
    </message>
    <message>
        <source>lift</source>
        <translation>Lift</translation>
    </message>
    <message>
        <source>Share of all transitions, or that share divided by what the two experts&apos; utilization would give by chance (1: chance)</source>
        <translation>Anteil an allen Übergängen, oder dieser geteilt durch das, was die Auslastung der beiden Experten durch Zufall ergäbe (1: Zufall)</translation>
    </message>
    <message>
        <source>Transitions, experts by experts</source>
        <translation>Übergänge, Experten mal Experten</translation>
    </message>
    <message>
        <source>Values for every layer</source>
        <translation>Zahlen für jede Schicht</translation>
    </message>
    <message>
        <source>No tuned frame yet; only the base can be shown.</source>
        <translation>Es gibt noch keine Messung des trainierten Modells; nur die Basis lässt sich zeigen.</translation>
    </message>
    <message>
        <source>No transitions yet</source>
        <translation>Noch keine Übergänge zu zeigen</translation>
    </message>
    <message>
        <source>Open a run or a snapshot, or try the demo, which starts training within a minute.</source>
        <translation>Öffnen Sie einen Lauf oder einen Snapshot, oder probieren Sie die Demo aus, die innerhalb einer Minute zu trainieren beginnt.</translation>
    </message>
    <message>
        <source>&amp;Try the demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>No probe frame yet</source>
        <translation>Noch keine Routing-Messung</translation>
    </message>
    <message>
        <source>The probe runs the held-out texts through the base first. Transitions need probe texts in the run.</source>
        <translation>Die Messung schickt die Held-out-Texte zuerst durch die Basis. Übergänge brauchen Messtexte im Lauf.</translation>
    </message>
    <message>
        <source>Choose &amp;probe texts</source>
        <translation>&amp;Messtexte wählen</translation>
    </message>
    <message>
        <source>Counting transitions</source>
        <translation>Die Übergänge werden gezählt</translation>
    </message>
    <message>
        <source>Every layer&apos;s transitions are being counted and partitioned; this takes a moment.</source>
        <translation>Die Übergänge jeder Schicht werden gezählt und partitioniert; das dauert einen Moment.</translation>
    </message>
    <message>
        <source>No next layer</source>
        <translation>Es gibt keine nächste Schicht</translation>
    </message>
    <message>
        <source>The model has a single MoE layer. Show transitions to the next token instead.</source>
        <translation>Das Modell hat eine einzige MoE-Schicht. Zeigen Sie stattdessen die Übergänge zum nächsten Token.</translation>
    </message>
    <message>
        <source>No answer tokens in these probe texts</source>
        <translation>Keine Antwort-Tokens in diesen Messtexten</translation>
    </message>
    <message>
        <source>Transitions are counted over answer tokens. Plain texts have none; use probe files with questions and answers.</source>
        <translation>Übergänge werden über Antwort-Tokens gezählt. Reine Texte haben keine; verwenden Sie Messdateien mit Fragen und Antworten.</translation>
    </message>
    <message>
        <source>range locked</source>
        <translation>Bereich gesperrt</translation>
    </message>
    <message>
        <source>range kept across frames</source>
        <translation>Bereich über die Messungen beibehalten</translation>
    </message>
</context>
<context>
    <name>mooring::UtilisationView</name>
    <message>
        <source>layer</source>
        <translation>Schicht</translation>
    </message>
    <message>
        <source>expert</source>
        <translation>Experte</translation>
    </message>
    <message>
        <source>experts of each layer, most used by the base first</source>
        <translation>Experten jeder Schicht, die von der Basis meistgenutzten zuerst</translation>
    </message>
    <message>
        <source>experts of each layer by base community (numbered), most used first within each</source>
        <translation>Experten jeder Schicht nach Basis-Community (nummeriert), darin die meistgenutzten zuerst</translation>
    </message>
    <message>
        <source>points</source>
        <translation>Punkte</translation>
    </message>
    <message>
        <source>utilization of the expert, tuned minus base</source>
        <translation>Auslastung des Experten, trainiert minus Basis</translation>
    </message>
    <message>
        <source>utilization of the expert, tuned</source>
        <translation>Auslastung des Experten, trainiert</translation>
    </message>
    <message>
        <source>utilization of the expert, base</source>
        <translation>Auslastung des Experten, Basis</translation>
    </message>
    <message>
        <source>TVD</source>
        <translation>TVD</translation>
    </message>
    <message>
        <source>JSD, nats</source>
        <translation>JSD, Nats</translation>
    </message>
    <message>
        <source>layer %1: utilization of each expert</source>
        <translation>Schicht %1: Auslastung jedes Experten</translation>
    </message>
    <message>
        <source>base</source>
        <translation>Basis</translation>
    </message>
    <message>
        <source>tuned</source>
        <translation>trainiert</translation>
    </message>
    <message>
        <source>layer %1 · expert %2</source>
        <translation>Schicht %1 · Experte %2</translation>
    </message>
    <message>
        <source>community %1 → %2</source>
        <translation>Community %1 → %2</translation>
    </message>
    <message>
        <source>community %1</source>
        <translation>Community %1</translation>
    </message>
    <message>
        <source>%1 tokens × %2</source>
        <translation>%1 Tokens × %2</translation>
    </message>
    <message>
        <source>step %1</source>
        <translation>Schritt %1</translation>
    </message>
    <message>
        <source>%1  (%2 slots)</source>
        <translation>%1  (%2 Plätze)</translation>
    </message>
    <message>
        <source>difference</source>
        <translation>Differenz</translation>
    </message>
    <message>
        <source>%1 points</source>
        <translation>%1 Punkte</translation>
    </message>
    <message>
        <source>step</source>
        <translation>Schritt</translation>
    </message>
    <message>
        <source>domain</source>
        <translation>Domäne</translation>
    </message>
    <message>
        <source>community</source>
        <translation>Community</translation>
    </message>
    <message>
        <source>source</source>
        <translation>Quelle</translation>
    </message>
    <message>
        <source>Shown</source>
        <translation>Dargestellt</translation>
    </message>
    <message>
        <source>d&amp;omain</source>
        <translation>D&amp;omäne</translation>
    </message>
    <message>
        <source>experts &amp;by</source>
        <translation>Experten &amp;nach</translation>
    </message>
    <message>
        <source>Utilization</source>
        <translation>Auslastung</translation>
    </message>
    <message>
        <source>How often each expert is chosen. Anchored training keeps the difference from the base router small. Look for rows that turn blue and orange, and for a growing TVD.</source>
        <translation>Wie oft jeder Experte gewählt wird. Verankertes Training hält die Differenz zum Basis-Router klein. Achten Sie auf Zeilen, die blau und orange werden, und auf eine wachsende TVD.</translation>
    </message>
    <message>
        <source>&amp;Difference</source>
        <translation>&amp;Differenz</translation>
    </message>
    <message>
        <source>Tuned minus base, centered at zero</source>
        <translation>Trainiert minus Basis, um null zentriert</translation>
    </message>
    <message>
        <source>T&amp;uned</source>
        <translation>T&amp;rainiert</translation>
    </message>
    <message>
        <source>The model as it is at this step</source>
        <translation>Das Modell, wie es bei diesem Schritt ist</translation>
    </message>
    <message>
        <source>B&amp;ase</source>
        <translation>B&amp;asis</translation>
    </message>
    <message>
        <source>The frozen base model</source>
        <translation>Das eingefrorene Basismodell</translation>
    </message>
    <message>
        <source>index</source>
        <translation>Index</translation>
    </message>
    <message>
        <source>base use</source>
        <translation>Nutzung Basis</translation>
    </message>
    <message>
        <source>base community</source>
        <translation>Basis-Community</translation>
    </message>
    <message>
        <source>Utilization heat map, layers by experts</source>
        <translation>Heatmap der Auslastung, Schichten mal Experten</translation>
    </message>
    <message>
        <source>No tuned frame yet; only the base can be shown.</source>
        <translation>Es gibt noch keine Messung des trainierten Modells; nur die Basis lässt sich zeigen.</translation>
    </message>
    <message>
        <source>The base&apos;s choices are not stored for this source.</source>
        <translation>Die Wahl der Basis ist für diese Quelle nicht gespeichert.</translation>
    </message>
    <message>
        <source>The base&apos;s communities are not available yet.</source>
        <translation>Die Communities der Basis sind noch nicht bekannt.</translation>
    </message>
    <message>
        <source>No routing data yet</source>
        <translation>Noch kein Routing zu zeigen</translation>
    </message>
    <message>
        <source>Open a run or a snapshot, or try the demo, which starts training within a minute.</source>
        <translation>Öffnen Sie einen Lauf oder einen Snapshot, oder probieren Sie die Demo aus, die innerhalb einer Minute zu trainieren beginnt.</translation>
    </message>
    <message>
        <source>&amp;Try the demo</source>
        <translation>&amp;Demo ausprobieren</translation>
    </message>
    <message>
        <source>No training steps yet</source>
        <translation>Noch kein Trainingsschritt</translation>
    </message>
    <message>
        <source>Utilization on training tokens appears with a run&apos;s first step.</source>
        <translation>Die Auslastung auf Trainingstokens erscheint mit dem ersten Schritt eines Laufs.</translation>
    </message>
    <message>
        <source>&amp;New run</source>
        <translation>&amp;Neuer Lauf</translation>
    </message>
    <message>
        <source>No probe frame yet</source>
        <translation>Noch keine Routing-Messung</translation>
    </message>
    <message>
        <source>The probe runs the held-out texts through the base first, then every few steps. If the run has no probe texts, show training tokens instead.</source>
        <translation>Die Messung schickt die Held-out-Texte zuerst durch die Basis, dann alle paar Schritte wieder. Hat der Lauf keine Messtexte, zeigen Sie stattdessen die Trainingstokens.</translation>
    </message>
    <message>
        <source>Choose &amp;probe texts</source>
        <translation>&amp;Messtexte wählen</translation>
    </message>
    <message>
        <source>range locked</source>
        <translation>Bereich gesperrt</translation>
    </message>
    <message>
        <source>range kept across frames</source>
        <translation>Bereich über die Messungen beibehalten</translation>
    </message>
</context>
<context>
    <name>mooring::View</name>
    <message>
        <source>&amp;Table</source>
        <translation>&amp;Tabelle</translation>
    </message>
    <message>
        <source>Show the same numbers as a table</source>
        <translation>Dieselben Zahlen als Zeilen und Spalten</translation>
    </message>
    <message>
        <source>&amp;Copy</source>
        <translation>&amp;Kopieren</translation>
    </message>
    <message>
        <source>Copy the image and its numbers</source>
        <translation>Das Bild und seine Zahlen kopieren</translation>
    </message>
    <message>
        <source>E&amp;xport</source>
        <translation>E&amp;xport</translation>
    </message>
    <message>
        <source>Save as PNG, SVG, PDF or CSV</source>
        <translation>Als PNG, SVG, PDF oder CSV speichern</translation>
    </message>
    <message>
        <source>&amp;PNG image...</source>
        <translation>&amp;PNG-Bild...</translation>
    </message>
    <message>
        <source>&amp;SVG drawing...</source>
        <translation>&amp;SVG-Zeichnung...</translation>
    </message>
    <message>
        <source>P&amp;DF page...</source>
        <translation>P&amp;DF-Seite...</translation>
    </message>
    <message>
        <source>&amp;CSV numbers...</source>
        <translation>&amp;CSV-Zahlen...</translation>
    </message>
    <message>
        <source>On a &amp;light background</source>
        <translation>Auf &amp;hellem Grund</translation>
    </message>
    <message>
        <source>%1: table</source>
        <translation>%1: Tabelle</translation>
    </message>
    <message>
        <source>Export %1...</source>
        <translation>%1 exportieren...</translation>
    </message>
    <message>
        <source>&quot;.%1&quot; is not an export format: choose .png, .svg, .pdf or .csv.</source>
        <translation>„.%1“ ist kein Exportformat: Wählen Sie .png, .svg, .pdf oder .csv.</translation>
    </message>
    <message>
        <source>%1 cannot be written: %2. Choose another folder.</source>
        <translation>%1 kann nicht geschrieben werden: %2. Wählen Sie einen anderen Ordner.</translation>
    </message>
    <message>
        <source>Copied the image and its numbers.</source>
        <translation>Das Bild und seine Zahlen sind kopiert.</translation>
    </message>
    <message>
        <source>Export %1</source>
        <translation>%1 exportieren</translation>
    </message>
    <message>
        <source>%1 files (*.%2)</source>
        <translation>%1-Dateien (*.%2)</translation>
    </message>
    <message>
        <source>Exported to %1.</source>
        <translation>Nach %1 exportiert.</translation>
    </message>
</context>
</TS>
