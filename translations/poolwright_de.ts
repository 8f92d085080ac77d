<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="de_DE">
<context>
    <name>AddressMap</name>
    <message>
        <source>banks</source>
        <translation>Bänke</translation>
    </message>
    <message>
        <source>pools</source>
        <translation>Pools</translation>
    </message>
    <message>
        <source>groups</source>
        <translation>Gruppen</translation>
    </message>
    <message>
        <source>buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>%1 (off)</source>
        <translation>%1 (aus)</translation>
    </message>
    <message>
        <source>group of %1 · %2 / %3 · ×%4</source>
        <translation>Gruppe aus %1 · %2 / %3 · ×%4</translation>
    </message>
    <message>
        <source>empty</source>
        <translation>leer</translation>
    </message>
    <message>
        <source>%1 of %2 used</source>
        <translation>%1 von %2 belegt</translation>
    </message>
    <message>
        <source>%1 %2: %3 (%4)</source>
        <translation>%1 %2: %3 (%4)</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
</context>
<context>
    <name>Commands</name>
    <message>
        <source>Open &amp;model…</source>
        <translation>&amp;Modell öffnen…</translation>
    </message>
    <message>
        <source>Opens a quantised ONNX model</source>
        <translation>Öffnet ein quantisiertes ONNX-Modell</translation>
    </message>
    <message>
        <source>Open memory &amp;pools…</source>
        <translation>Speicher-&amp;Pools öffnen…</translation>
    </message>
    <message>
        <source>Opens a memory-pool file (.mpool)</source>
        <translation>Öffnet eine Speicher-Pool-Datei (.mpool)</translation>
    </message>
    <message>
        <source>Open &amp;artefacts…</source>
        <translation>&amp;Artefakte öffnen…</translation>
    </message>
    <message>
        <source>Shows what a compiler wrote: c_info.json, ours or ST&apos;s</source>
        <translation>Zeigt, was ein Compiler geschrieben hat: c_info.json, unseres oder das von ST</translation>
    </message>
    <message>
        <source>&amp;Save pools</source>
        <translation>Pools &amp;speichern</translation>
    </message>
    <message>
        <source>Saves the memory-pool file; only edited characters change</source>
        <translation>Speichert die Speicher-Pool-Datei; nur bearbeitete Zeichen ändern sich</translation>
    </message>
    <message>
        <source>Save pools &amp;as…</source>
        <translation>Pools speichern &amp;unter…</translation>
    </message>
    <message>
        <source>Saves the memory-pool file under another name</source>
        <translation>Speichert die Speicher-Pool-Datei unter anderem Namen</translation>
    </message>
    <message>
        <source>&amp;Write artefacts…</source>
        <translation>Artefakte s&amp;chreiben…</translation>
    </message>
    <message>
        <source>Writes network.c, initialisers, csv and all the others into a folder</source>
        <translation>Schreibt network.c, Initialisierer, csv und alles Übrige in einen Ordner</translation>
    </message>
    <message>
        <source>&amp;Export panel…</source>
        <translation>Ansicht &amp;exportieren…</translation>
    </message>
    <message>
        <source>Saves the panel that has the focus as a picture or table</source>
        <translation>Speichert die Ansicht mit dem Fokus als Bild oder Tabelle</translation>
    </message>
    <message>
        <source>&amp;Quit</source>
        <translation>&amp;Beenden</translation>
    </message>
    <message>
        <source>Leaves the program</source>
        <translation>Verlässt das Programm</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Takes the last edit back</source>
        <translation>Nimmt die letzte Änderung zurück</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Makes the edit that was taken back again</source>
        <translation>Stellt die zurückgenommene Änderung wieder her</translation>
    </message>
    <message>
        <source>&amp;Find</source>
        <translation>&amp;Suchen</translation>
    </message>
    <message>
        <source>Searches the epoch graph for an epoch, operator or buffer</source>
        <translation>Sucht im Epochengraphen nach Epoche, Operator oder Puffer</translation>
    </message>
    <message>
        <source>&amp;Compile</source>
        <translation>&amp;Übersetzen</translation>
    </message>
    <message>
        <source>Compiles the model with these pools and options</source>
        <translation>Übersetzt das Modell mit diesen Pools und Optionen</translation>
    </message>
    <message>
        <source>&amp;Stop</source>
        <translation>&amp;Anhalten</translation>
    </message>
    <message>
        <source>Stops the running compile</source>
        <translation>Hält das laufende Übersetzen an</translation>
    </message>
    <message>
        <source>Switch pool &amp;off or on</source>
        <translation>Pool &amp;aus- oder einschalten</translation>
    </message>
    <message>
        <source>Sets the size of the selected pool to 0, or gives it the free room behind its start</source>
        <translation>Setzt die Größe des gewählten Pools auf 0 oder gibt ihm den freien Platz hinter seinem Anfang</translation>
    </message>
    <message>
        <source>C&amp;lose hole behind</source>
        <translation>Lücke dahinter &amp;schließen</translation>
    </message>
    <message>
        <source>Lengthens the selected pool up to the next one</source>
        <translation>Verlängert den gewählten Pool bis zum nächsten</translation>
    </message>
    <message>
        <source>Open &amp;hole behind</source>
        <translation>&amp;Lücke dahinter öffnen</translation>
    </message>
    <message>
        <source>Shortens the selected pool by one byte, so that it is not grouped with the next one</source>
        <translation>Verkürzt den gewählten Pool um ein Byte, damit er nicht mit dem nächsten gruppiert wird</translation>
    </message>
    <message>
        <source>&amp;Merge with next</source>
        <translation>Mit dem nächsten &amp;vereinen</translation>
    </message>
    <message>
        <source>Makes one pool of the selected one and the one that touches its end</source>
        <translation>Macht aus dem gewählten Pool und dem, der an sein Ende stößt, einen</translation>
    </message>
    <message>
        <source>&amp;Next epoch</source>
        <translation>&amp;Nächste Epoche</translation>
    </message>
    <message>
        <source>Goes to the next epoch in all panels</source>
        <translation>Geht in allen Ansichten zur nächsten Epoche</translation>
    </message>
    <message>
        <source>&amp;Previous epoch</source>
        <translation>&amp;Vorige Epoche</translation>
    </message>
    <message>
        <source>Goes to the epoch before in all panels</source>
        <translation>Geht in allen Ansichten zur vorigen Epoche</translation>
    </message>
    <message>
        <source>Go to pea&amp;k</source>
        <translation>Zum &amp;Höchststand</translation>
    </message>
    <message>
        <source>Goes to the epoch with most bytes alive</source>
        <translation>Geht zur Epoche mit den meisten lebenden Bytes</translation>
    </message>
    <message>
        <source>Zoom &amp;in</source>
        <translation>Ver&amp;größern</translation>
    </message>
    <message>
        <source>Shows less of the axis of the panel that has the focus</source>
        <translation>Zeigt weniger von der Achse der Ansicht mit dem Fokus</translation>
    </message>
    <message>
        <source>Zoom &amp;out</source>
        <translation>Ver&amp;kleinern</translation>
    </message>
    <message>
        <source>Shows more of the axis of the panel that has the focus</source>
        <translation>Zeigt mehr von der Achse der Ansicht mit dem Fokus</translation>
    </message>
    <message>
        <source>Zoom to &amp;fit</source>
        <translation>&amp;Alles zeigen</translation>
    </message>
    <message>
        <source>Shows everything</source>
        <translation>Zeigt alles</translation>
    </message>
    <message>
        <source>&amp;Clear selection</source>
        <translation>Auswahl auf&amp;heben</translation>
    </message>
    <message>
        <source>Forgets the selected buffer, epoch and pool</source>
        <translation>Vergisst gewählten Puffer, Epoche und Pool</translation>
    </message>
    <message>
        <source>As the &amp;system</source>
        <translation>Wie das &amp;System</translation>
    </message>
    <message>
        <source>Light or dark as the desktop is</source>
        <translation>Hell oder dunkel wie die Arbeitsfläche</translation>
    </message>
    <message>
        <source>&amp;Light</source>
        <translation>&amp;Hell</translation>
    </message>
    <message>
        <source>Dark text on light ground</source>
        <translation>Dunkler Text auf hellem Grund</translation>
    </message>
    <message>
        <source>&amp;Dark</source>
        <translation>&amp;Dunkel</translation>
    </message>
    <message>
        <source>Light text on dark ground</source>
        <translation>Heller Text auf dunklem Grund</translation>
    </message>
    <message>
        <source>&amp;Reset layout</source>
        <translation>Anordnung &amp;zurücksetzen</translation>
    </message>
    <message>
        <source>Puts all panels where they were at the first start</source>
        <translation>Stellt alle Ansichten dorthin, wo sie beim ersten Start waren</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Opens the help pages</source>
        <translation>Öffnet die Hilfeseiten</translation>
    </message>
    <message>
        <source>&amp;Keyboard shortcuts</source>
        <translation>&amp;Tastenkürzel</translation>
    </message>
    <message>
        <source>Lists every command with its keys</source>
        <translation>Listet jeden Befehl mit seinen Tasten auf</translation>
    </message>
    <message>
        <source>&amp;About Poolwright</source>
        <translation>Ü&amp;ber Poolwright</translation>
    </message>
    <message>
        <source>Version and licence</source>
        <translation>Version und Lizenz</translation>
    </message>
</context>
<context>
    <name>Export</name>
    <message>
        <source>Could not write %1: %2</source>
        <translation>%1 konnte nicht geschrieben werden: %2</translation>
    </message>
</context>
<context>
    <name>HelpViewer</name>
    <message>
        <source>Address map: Up, Down</source>
        <translation>Adresskarte: Hoch, Runter</translation>
    </message>
    <message>
        <source>choose a pool edge</source>
        <translation>eine Poolkante wählen</translation>
    </message>
    <message>
        <source>Address map: Left, Right</source>
        <translation>Adresskarte: Links, Rechts</translation>
    </message>
    <message>
        <source>move the edge by the snap (with Shift 16 times); without an edge: previous, next epoch</source>
        <translation>die Kante um das Raster schieben (mit Umschalt 16-fach); ohne Kante: vorige, nächste Epoche</translation>
    </message>
    <message>
        <source>Address map: Alt while dragging</source>
        <translation>Adresskarte: Alt beim Ziehen</translation>
    </message>
    <message>
        <source>no snapping</source>
        <translation>kein Einrasten</translation>
    </message>
    <message>
        <source>Timeline: Left, Right</source>
        <translation>Zeitachse: Links, Rechts</translation>
    </message>
    <message>
        <source>previous, next epoch</source>
        <translation>vorige, nächste Epoche</translation>
    </message>
    <message>
        <source>Epoch graph: Left, Right</source>
        <translation>Epochengraph: Links, Rechts</translation>
    </message>
    <message>
        <source>go to the producer, to the consumer</source>
        <translation>zum Erzeuger, zum Verbraucher</translation>
    </message>
    <message>
        <source>Map, timeline, graph: + − 0</source>
        <translation>Karte, Zeitachse, Graph: + − 0</translation>
    </message>
    <message>
        <source>zoom in, out, to fit</source>
        <translation>vergrößern, verkleinern, alles zeigen</translation>
    </message>
</context>
<context>
    <name>Panels</name>
    <message>
        <source>Pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Address map</source>
        <translation>Adresskarte</translation>
    </message>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Epoch graph</source>
        <translation>Epochengraph</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>Pool file</source>
        <translation>Pool-Datei</translation>
    </message>
    <message>
        <source>Runs</source>
        <translation>Läufe</translation>
    </message>
    <message>
        <source>Tables</source>
        <translation>Tabellen</translation>
    </message>
    <message>
        <source>Mapping recap</source>
        <translation>Abbildung</translation>
    </message>
    <message>
        <source>Options</source>
        <translation>Optionen</translation>
    </message>
</context>
<context>
    <name>Runs</name>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>cycles (vendor&apos;s formula)</source>
        <translation>Takte (Formel des Herstellers)</translation>
    </message>
    <message>
        <source>external activations</source>
        <translation>externe Aktivierungen</translation>
    </message>
    <message>
        <source>live peak</source>
        <translation>Höchststand lebend</translation>
    </message>
    <message>
        <source>weights</source>
        <translation>Gewichte</translation>
    </message>
    <message>
        <source>%1 HW, %2 hybrid, %3 SW</source>
        <translation>%1 HW, %2 hybrid, %3 SW</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>%1 used</source>
        <translation>%1 belegt</translation>
    </message>
    <message>
        <source>pool %1</source>
        <translation>Pool %1</translation>
    </message>
    <message>
        <source>buffer %1</source>
        <translation>Puffer %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
</context>
<context>
    <name>Tables</name>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Position in execution order</source>
        <translation>Stelle in der Ausführungsfolge</translation>
    </message>
    <message>
        <source>operators</source>
        <translation>Operatoren</translation>
    </message>
    <message>
        <source>What the epoch computes</source>
        <translation>Was die Epoche rechnet</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>HW: on the NPU; hybrid: with the CPU&apos;s help; SW: on the CPU</source>
        <translation>HW: auf der NPU; hybrid: mit Hilfe der CPU; SW: auf der CPU</translation>
    </message>
    <message>
        <source>units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Processing units in use, stream engines left out</source>
        <translation>Benutzte Recheneinheiten, ohne Stream Engines</translation>
    </message>
    <message>
        <source>cycles</source>
        <translation>Takte</translation>
    </message>
    <message>
        <source>Vendor&apos;s formula, at the nominal clock</source>
        <translation>Formel des Herstellers, beim Nenntakt</translation>
    </message>
    <message>
        <source>bound by</source>
        <translation>begrenzt durch</translation>
    </message>
    <message>
        <source>What keeps the epoch from being faster</source>
        <translation>Was die Epoche daran hindert, schneller zu sein</translation>
    </message>
    <message>
        <source>external B</source>
        <translation>extern B</translation>
    </message>
    <message>
        <source>Bytes read from and written to memories outside the chip</source>
        <translation>Bytes, die aus Speichern außerhalb des Chips gelesen und dorthin geschrieben werden</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>why not hardware</source>
        <translation>warum nicht Hardware</translation>
    </message>
    <message>
        <source>Reason for software and hybrid epochs</source>
        <translation>Grund für Software- und Hybrid-Epochen</translation>
    </message>
    <message>
        <source>pool</source>
        <translation>Pool</translation>
    </message>
    <message>
        <source>Where the buffer lies; — when it found no place</source>
        <translation>Wo der Puffer liegt; — wenn er keinen Platz fand</translation>
    </message>
    <message>
        <source>address</source>
        <translation>Adresse</translation>
    </message>
    <message>
        <source>Absolute address of the first byte</source>
        <translation>Absolute Adresse des ersten Bytes</translation>
    </message>
    <message>
        <source>bytes</source>
        <translation>Bytes</translation>
    </message>
    <message>
        <source>Size</source>
        <translation>Größe</translation>
    </message>
    <message>
        <source>buffer</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Name</source>
        <translation>Name</translation>
    </message>
    <message>
        <source>Constant, activation, scratch, input or output</source>
        <translation>Konstante, Aktivierung, Zwischenspeicher, Eingang oder Ausgang</translation>
    </message>
    <message>
        <source>from</source>
        <translation>von</translation>
    </message>
    <message>
        <source>First epoch in which it is alive</source>
        <translation>Erste Epoche, in der er lebt</translation>
    </message>
    <message>
        <source>to</source>
        <translation>bis</translation>
    </message>
    <message>
        <source>Last epoch in which it is alive</source>
        <translation>Letzte Epoche, in der er lebt</translation>
    </message>
    <message>
        <source>read B</source>
        <translation>gelesen B</translation>
    </message>
    <message>
        <source>Bytes read over one inference</source>
        <translation>Bytes, die in einer Inferenz gelesen werden</translation>
    </message>
    <message>
        <source>written B</source>
        <translation>geschrieben B</translation>
    </message>
    <message>
        <source>Bytes written over one inference</source>
        <translation>Bytes, die in einer Inferenz geschrieben werden</translation>
    </message>
    <message>
        <source>shape</source>
        <translation>Form</translation>
    </message>
    <message>
        <source>In the order of the ONNX model</source>
        <translation>In der Reihenfolge des ONNX-Modells</translation>
    </message>
    <message>
        <source>format</source>
        <translation>Format</translation>
    </message>
    <message>
        <source>Element type</source>
        <translation>Elementtyp</translation>
    </message>
    <message>
        <source>constant</source>
        <translation>Konstante</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>offset</translation>
    </message>
    <message>
        <source>From the start of the pool&apos;s initialiser file</source>
        <translation>Ab Beginn der Initialisiererdatei des Pools</translation>
    </message>
    <message>
        <source>name</source>
        <translation>name</translation>
    </message>
    <message>
        <source>Name of the epoch</source>
        <translation>Name der Epoche</translation>
    </message>
    <message>
        <source>Memory pool</source>
        <translation>Speicher-Pool</translation>
    </message>
    <message>
        <source>Bytes read</source>
        <translation>Gelesene Bytes</translation>
    </message>
    <message>
        <source>Bytes written</source>
        <translation>Geschriebene Bytes</translation>
    </message>
    <message>
        <source>read cycles</source>
        <translation>Lesetakte</translation>
    </message>
    <message>
        <source>NPU cycles the reads take</source>
        <translation>NPU-Takte für das Lesen</translation>
    </message>
    <message>
        <source>write cycles</source>
        <translation>Schreibtakte</translation>
    </message>
    <message>
        <source>NPU cycles the writes take</source>
        <translation>NPU-Takte für das Schreiben</translation>
    </message>
    <message>
        <source>compute cycles</source>
        <translation>Rechentakte</translation>
    </message>
    <message>
        <source>Cycles of the slowest unit of the epoch</source>
        <translation>Takte der langsamsten Einheit der Epoche</translation>
    </message>
    <message>
        <source>epoch cycles</source>
        <translation>Takte der Epoche</translation>
    </message>
    <message>
        <source>Vendor&apos;s formula for the whole epoch</source>
        <translation>Formel des Herstellers für die ganze Epoche</translation>
    </message>
    <message>
        <source>Calibrated on boards; for ST&apos;s artefacts by the vendor&apos;s formula</source>
        <translation>An Boards kalibriert; bei Artefakten von ST nach der Formel des Herstellers</translation>
    </message>
</context>
<context>
    <name>main</name>
    <message>
        <source>Workbench for Neural-ART class NPUs</source>
        <translation>Werkbank für NPUs der Neural-ART-Klasse</translation>
    </message>
    <message>
        <source>Model (.onnx), memory pools (.mpool), artefacts</source>
        <translation>Modell (.onnx), Speicher-Pools (.mpool), Artefakte</translation>
    </message>
</context>
<context>
    <name>poolwright::app::Document</name>
    <message>
        <source>it is no readable file</source>
        <translation>es ist keine lesbare Datei</translation>
    </message>
    <message>
        <source>it does not exist</source>
        <translation>es gibt sie nicht</translation>
    </message>
    <message>
        <source>it is larger than any memory-pool file</source>
        <translation>sie ist größer als jede Speicher-Pool-Datei</translation>
    </message>
    <message>
        <source>Recovered edits</source>
        <translation>Wiederhergestellte Änderungen</translation>
    </message>
    <message>
        <source>Move end of %1</source>
        <translation>Ende von %1 verschieben</translation>
    </message>
    <message>
        <source>Move start of %1</source>
        <translation>Anfang von %1 verschieben</translation>
    </message>
    <message>
        <source>Change %1 of %2</source>
        <translation>%1 von %2 ändern</translation>
    </message>
</context>
<context>
    <name>poolwright::app::EmptyPage</name>
    <message>
        <source>Poolwright</source>
        <translation>Poolwright</translation>
    </message>
    <message>
        <source>Open a quantised model and a memory-pool file, press Compile, and drag the edges of the pools: placement, spills and time follow.</source>
        <translation>Ein quantisiertes Modell und eine Speicher-Pool-Datei öffnen, Übersetzen drücken und die Kanten der Pools ziehen: Platzierung, Auslagerung und Zeit folgen.</translation>
    </message>
    <message>
        <source>Open model…</source>
        <translation>Modell öffnen…</translation>
    </message>
    <message>
        <source>A quantised ONNX model (QDQ), or ONNX with its _Q.json beside it</source>
        <translation>Ein quantisiertes ONNX-Modell (QDQ) oder ONNX mit seiner _Q.json daneben</translation>
    </message>
    <message>
        <source>Open memory pools…</source>
        <translation>Speicher-Pools öffnen…</translation>
    </message>
    <message>
        <source>A .mpool file</source>
        <translation>Eine .mpool-Datei</translation>
    </message>
    <message>
        <source>Open artefacts…</source>
        <translation>Artefakte öffnen…</translation>
    </message>
    <message>
        <source>c_info.json or a folder that a compiler wrote, ours or ST&apos;s</source>
        <translation>c_info.json oder ein Ordner, den ein Compiler geschrieben hat, unserer oder der von ST</translation>
    </message>
    <message>
        <source>Examples</source>
        <translation>Beispiele</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>Files can also be dropped anywhere on this window.</source>
        <translation>Dateien können auch irgendwo auf dieses Fenster gezogen werden.</translation>
    </message>
</context>
<context>
    <name>poolwright::app::HelpViewer</name>
    <message>
        <source>Help</source>
        <translation>Hilfe</translation>
    </message>
    <message>
        <source>Help pages</source>
        <translation>Hilfeseiten</translation>
    </message>
    <message>
        <source>Keyboard shortcuts</source>
        <translation>Tastenkürzel</translation>
    </message>
    <message>
        <source>keys</source>
        <translation>Tasten</translation>
    </message>
    <message>
        <source>command</source>
        <translation>Befehl</translation>
    </message>
</context>
<context>
    <name>poolwright::app::MainWindow</name>
    <message>
        <source>Open a model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Models (*.onnx);;All files (*)</source>
        <translation>Modelle (*.onnx);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open memory pools</source>
        <translation>Speicher-Pools öffnen</translation>
    </message>
    <message>
        <source>Memory pools (*.mpool);;All files (*)</source>
        <translation>Speicher-Pools (*.mpool);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>Open artefacts</source>
        <translation>Artefakte öffnen</translation>
    </message>
    <message>
        <source>Artefacts (*.json *.json.gz *.csv *.txt *.dot);;All files (*)</source>
        <translation>Artefakte (*.json *.json.gz *.csv *.txt *.dot);;Alle Dateien (*)</translation>
    </message>
    <message>
        <source>failed</source>
        <translation>fehlgeschlagen</translation>
    </message>
    <message>
        <source>stopped</source>
        <translation>angehalten</translation>
    </message>
    <message numerus="yes">
        <source>%n file(s) written to %1</source>
        <translation>
            <numerusform>%n Datei nach %1 geschrieben</numerusform>
            <numerusform>%n Dateien nach %1 geschrieben</numerusform>
        </translation>
    </message>
    <message>
        <source>Problems (%1)</source>
        <translation>Probleme (%1)</translation>
    </message>
    <message>
        <source>Problems</source>
        <translation>Probleme</translation>
    </message>
    <message>
        <source>an earlier run</source>
        <translation>ein früherer Lauf</translation>
    </message>
    <message>
        <source>Unsaved edits found</source>
        <translation>Ungespeicherte Änderungen gefunden</translation>
    </message>
    <message>
        <source>An earlier session ended with edits of %1 that were not saved. Take them up again?</source>
        <translation>Eine frühere Sitzung endete mit ungespeicherten Änderungen an %1. Wieder aufnehmen?</translation>
    </message>
    <message>
        <source>Save memory pools</source>
        <translation>Speicher-Pools speichern</translation>
    </message>
    <message>
        <source>Memory pools (*.mpool)</source>
        <translation>Speicher-Pools (*.mpool)</translation>
    </message>
    <message>
        <source>Saved %1</source>
        <translation>%1 gespeichert</translation>
    </message>
    <message>
        <source>Unsaved edits</source>
        <translation>Ungespeicherte Änderungen</translation>
    </message>
    <message>
        <source>The memory pools have unsaved edits.</source>
        <translation>Die Speicher-Pools haben ungespeicherte Änderungen.</translation>
    </message>
    <message>
        <source>Write artefacts into</source>
        <translation>Artefakte schreiben nach</translation>
    </message>
    <message>
        <source>Export panel</source>
        <translation>Ansicht exportieren</translation>
    </message>
    <message>
        <source>Exported to %1</source>
        <translation>Nach %1 exportiert</translation>
    </message>
    <message>
        <source>About Poolwright</source>
        <translation>Über Poolwright</translation>
    </message>
    <message>
        <source>&lt;h3&gt;Poolwright %1&lt;/h3&gt;&lt;p&gt;Workbench and compiler for Neural-ART class NPUs.&lt;/p&gt;&lt;p&gt;Apache License 2.0. Built with Qt %2.&lt;/p&gt;</source>
        <translation>&lt;h3&gt;Poolwright %1&lt;/h3&gt;&lt;p&gt;Werkbank und Compiler für NPUs der Neural-ART-Klasse.&lt;/p&gt;&lt;p&gt;Apache-Lizenz 2.0. Gebaut mit Qt %2.&lt;/p&gt;</translation>
    </message>
    <message>
        <source>compiling</source>
        <translation>übersetzt</translation>
    </message>
    <message>
        <source>compiled in %1</source>
        <translation>übersetzt in %1</translation>
    </message>
    <message>
        <source>re-planned in %1 while dragging</source>
        <translation>beim Ziehen neu geplant in %1</translation>
    </message>
    <message>
        <source>re-planned in %1</source>
        <translation>neu geplant in %1</translation>
    </message>
    <message>
        <source>Compile</source>
        <translation>Übersetzen</translation>
    </message>
    <message>
        <source>Re-plan</source>
        <translation>Neu planen</translation>
    </message>
    <message>
        <source>Switch %1 off</source>
        <translation>%1 ausschalten</translation>
    </message>
    <message>
        <source>Switch %1 on</source>
        <translation>%1 einschalten</translation>
    </message>
    <message>
        <source>There is no pool behind %1.</source>
        <translation>Hinter %1 liegt kein Pool.</translation>
    </message>
    <message>
        <source>Close hole behind %1</source>
        <translation>Lücke hinter %1 schließen</translation>
    </message>
    <message>
        <source>Open hole behind %1</source>
        <translation>Lücke hinter %1 öffnen</translation>
    </message>
    <message>
        <source>Merge %1 with the next</source>
        <translation>%1 mit dem nächsten vereinen</translation>
    </message>
    <message>
        <source>&amp;Undo</source>
        <translation>&amp;Rückgängig</translation>
    </message>
    <message>
        <source>Undo</source>
        <translation>Rückgängig</translation>
    </message>
    <message>
        <source>&amp;Redo</source>
        <translation>&amp;Wiederholen</translation>
    </message>
    <message>
        <source>Redo</source>
        <translation>Wiederholen</translation>
    </message>
    <message>
        <source>&amp;File</source>
        <translation>&amp;Datei</translation>
    </message>
    <message>
        <source>Recent files</source>
        <translation>Zuletzt geöffnet</translation>
    </message>
    <message>
        <source>&amp;Edit</source>
        <translation>&amp;Bearbeiten</translation>
    </message>
    <message>
        <source>&amp;Pools</source>
        <translation>&amp;Pools</translation>
    </message>
    <message>
        <source>&amp;Compile</source>
        <translation>&amp;Übersetzen</translation>
    </message>
    <message>
        <source>&amp;View</source>
        <translation>&amp;Ansicht</translation>
    </message>
    <message>
        <source>&amp;Panels</source>
        <translation>&amp;Ansichten</translation>
    </message>
    <message>
        <source>&amp;Theme</source>
        <translation>&amp;Farben</translation>
    </message>
    <message>
        <source>&amp;Help</source>
        <translation>&amp;Hilfe</translation>
    </message>
    <message>
        <source>Main tool bar</source>
        <translation>Werkzeugleiste</translation>
    </message>
    <message>
        <source>Open model</source>
        <translation>Modell öffnen</translation>
    </message>
    <message>
        <source>Open pools</source>
        <translation>Pools öffnen</translation>
    </message>
    <message>
        <source>Save</source>
        <translation>Speichern</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>Anhalten</translation>
    </message>
    <message>
        <source>snap</source>
        <translation>Raster</translation>
    </message>
    <message>
        <source>Grid that a dragged pool edge sticks to; Alt while dragging switches it off</source>
        <translation>Raster, an dem eine gezogene Poolkante einrastet; Alt beim Ziehen schaltet es ab</translation>
    </message>
    <message>
        <source>Verdict</source>
        <translation>Urteil</translation>
    </message>
    <message>
        <source>None yet</source>
        <translation>Noch keine</translation>
    </message>
    <message>
        <source>Options of the profile %1</source>
        <translation>Optionen des Profils %1</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::AddressMap</name>
    <message>
        <source>Address map</source>
        <translation>Adresskarte</translation>
    </message>
    <message>
        <source>Up and Down choose a pool edge, Left and Right move it or step through the epochs.</source>
        <translation>Hoch und Runter wählen eine Poolkante, Links und Rechts schieben sie oder gehen durch die Epochen.</translation>
    </message>
    <message>
        <source>No memory to show</source>
        <translation>Kein Speicher zu zeigen</translation>
    </message>
    <message>
        <source>Open a memory-pool file (.mpool): its pools appear here on one axis of addresses.</source>
        <translation>Eine Speicher-Pool-Datei (.mpool) öffnen: ihre Pools erscheinen hier auf einer Adressachse.</translation>
    </message>
    <message>
        <source>%1: %2 at %3. Left and Right move it by %4.</source>
        <translation>%1: %2 bei %3. Links und Rechts schieben um %4.</translation>
    </message>
    <message>
        <source>end</source>
        <translation>Ende</translation>
    </message>
    <message>
        <source>start</source>
        <translation>Anfang</translation>
    </message>
    <message>
        <source>Bank %1</source>
        <translation>Bank %1</translation>
    </message>
    <message>
        <source>Pool %1</source>
        <translation>Pool %1</translation>
    </message>
    <message>
        <source>Group %1</source>
        <translation>Gruppe %1</translation>
    </message>
    <message>
        <source>%1 buffers</source>
        <translation>%1 Puffer</translation>
    </message>
    <message>
        <source>Buffer %1</source>
        <translation>Puffer %1</translation>
    </message>
    <message>
        <source>Switched off: its size is 0</source>
        <translation>Ausgeschaltet: die Größe ist 0</translation>
    </message>
    <message>
        <source>%1, alive in epochs %2 to %3</source>
        <translation>%1, lebt in den Epochen %2 bis %3</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::EpochGraphPanel</name>
    <message>
        <source>Find epoch, operator or buffer</source>
        <translation>Epoche, Operator oder Puffer suchen</translation>
    </message>
    <message>
        <source>Enter goes to the next match</source>
        <translation>Eingabe geht zum nächsten Treffer</translation>
    </message>
    <message>
        <source>Colour: kind</source>
        <translation>Farbe: Art</translation>
    </message>
    <message>
        <source>Colour: time</source>
        <translation>Farbe: Zeit</translation>
    </message>
    <message>
        <source>Colour: external bytes</source>
        <translation>Farbe: externe Bytes</translation>
    </message>
    <message>
        <source>What the fill of the boxes shows</source>
        <translation>Was die Füllung der Kästen zeigt</translation>
    </message>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n gefunden</numerusform>
            <numerusform>%n gefunden</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::GraphView</name>
    <message>
        <source>Epoch graph</source>
        <translation>Epochengraph</translation>
    </message>
    <message>
        <source>Up and Down step through the epochs, Left goes to the producer of the first input, Right to the consumer of the output.</source>
        <translation>Hoch und Runter gehen durch die Epochen, Links geht zum Erzeuger des ersten Eingangs, Rechts zum Verbraucher des Ausgangs.</translation>
    </message>
    <message>
        <source>No epochs yet</source>
        <translation>Noch keine Epochen</translation>
    </message>
    <message>
        <source>After a compile the epochs stand here in the order in which they run.</source>
        <translation>Nach dem Übersetzen stehen die Epochen hier in der Reihenfolge, in der sie laufen.</translation>
    </message>
    <message>
        <source>epoch %1 (%2)</source>
        <translation>Epoche %1 (%2)</translation>
    </message>
    <message>
        <source>%1, %2 cycles by the vendor&apos;s formula</source>
        <translation>%1, %2 Takte nach der Formel des Herstellers</translation>
    </message>
    <message>
        <source>bound by %1</source>
        <translation>begrenzt durch %1</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::OptionsModel</name>
    <message>
        <source>from %1 to %2</source>
        <translation>von %1 bis %2</translation>
    </message>
    <message>
        <source>off</source>
        <translation>aus</translation>
    </message>
    <message>
        <source>option</source>
        <translation>Option</translation>
    </message>
    <message>
        <source>value</source>
        <translation>Wert</translation>
    </message>
    <message>
        <source>default</source>
        <translation>Vorgabe</translation>
    </message>
    <message>
        <source>category</source>
        <translation>Gruppe</translation>
    </message>
    <message>
        <source>what it does</source>
        <translation>was sie tut</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::OptionsPanel</name>
    <message>
        <source>Only changed</source>
        <translation>Nur geänderte</translation>
    </message>
    <message>
        <source>Compiler options</source>
        <translation>Compileroptionen</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Shows only options that differ from their defaults</source>
        <translation>Zeigt nur Optionen, die von der Vorgabe abweichen</translation>
    </message>
    <message>
        <source>Takes the options of a built-in profile</source>
        <translation>Übernimmt die Optionen eines eingebauten Profils</translation>
    </message>
    <message>
        <source>Resulting command line</source>
        <translation>Ergebende Befehlszeile</translation>
    </message>
    <message>
        <source>Copy command line</source>
        <translation>Befehlszeile kopieren</translation>
    </message>
    <message>
        <source>Copies the command that compiles the same on a terminal</source>
        <translation>Kopiert den Befehl, der dasselbe im Terminal übersetzt</translation>
    </message>
    <message>
        <source>Profile…</source>
        <translation>Profil…</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::PoolInspector</name>
    <message>
        <source>Select a pool in the address map to see and change its properties.</source>
        <translation>Einen Pool in der Adresskarte wählen, um seine Eigenschaften zu sehen und zu ändern.</translation>
    </message>
    <message>
        <source>Name of the pool in reports</source>
        <translation>Name des Pools in Berichten</translation>
    </message>
    <message>
        <source>Names the initialiser file of the pool</source>
        <translation>Benennt die Initialisiererdatei des Pools</translation>
    </message>
    <message>
        <source>name</source>
        <translation>name</translation>
    </message>
    <message>
        <source>fname</source>
        <translation>fname</translation>
    </message>
    <message>
        <source>file name</source>
        <translation>Dateiname</translation>
    </message>
    <message>
        <source>First address: hexadecimal with 0x, or decimal</source>
        <translation>Erste Adresse: hexadezimal mit 0x oder dezimal</translation>
    </message>
    <message>
        <source>Bytes, or a number with KiB or MiB; 0 switches the pool off</source>
        <translation>Bytes oder eine Zahl mit KiB oder MiB; 0 schaltet den Pool aus</translation>
    </message>
    <message>
        <source>Relative: the address is an offset that the application completes at run time</source>
        <translation>Relativ: die Adresse ist ein Versatz, den die Anwendung zur Laufzeit ergänzt</translation>
    </message>
    <message>
        <source>Form of the initialiser file</source>
        <translation>Form der Initialisiererdatei</translation>
    </message>
    <message>
        <source>offset</source>
        <translation>offset</translation>
    </message>
    <message>
        <source>size</source>
        <translation>size</translation>
    </message>
    <message>
        <source>mode</source>
        <translation>mode</translation>
    </message>
    <message>
        <source>fformat</source>
        <translation>fformat</translation>
    </message>
    <message>
        <source>file format</source>
        <translation>Dateiformat</translation>
    </message>
    <message>
        <source>ACC_WRITE: may be read and written</source>
        <translation>ACC_WRITE: darf gelesen und geschrieben werden</translation>
    </message>
    <message>
        <source> bytes</source>
        <translation> Bytes</translation>
    </message>
    <message>
        <source>Bytes of one access on the bus</source>
        <translation>Bytes eines Buszugriffs</translation>
    </message>
    <message>
        <source>NPU clock divided by the clock of the memory</source>
        <translation>NPU-Takt geteilt durch den Takt des Speichers</translation>
    </message>
    <message>
        <source>cacheable</source>
        <translation>cacheable</translation>
    </message>
    <message>
        <source>Accesses go through the NPU cache</source>
        <translation>Zugriffe gehen durch den NPU-Cache</translation>
    </message>
    <message>
        <source>constants_preferred</source>
        <translation>constants_preferred</translation>
    </message>
    <message>
        <source>Weights are placed here first</source>
        <translation>Gewichte kommen zuerst hierher</translation>
    </message>
    <message>
        <source>rights</source>
        <translation>rights</translation>
    </message>
    <message>
        <source>throughput</source>
        <translation>throughput</translation>
    </message>
    <message>
        <source>latency</source>
        <translation>latency</translation>
    </message>
    <message>
        <source>byteWidth</source>
        <translation>byteWidth</translation>
    </message>
    <message>
        <source>freqRatio</source>
        <translation>freqRatio</translation>
    </message>
    <message>
        <source>byte width</source>
        <translation>Busbreite</translation>
    </message>
    <message>
        <source>frequency ratio</source>
        <translation>Taktverhältnis</translation>
    </message>
    <message>
        <source>constants preferred</source>
        <translation>Konstanten bevorzugt</translation>
    </message>
    <message>
        <source> mW</source>
        <translation> mW</translation>
    </message>
    <message>
        <source>Only for the power estimate</source>
        <translation>Nur für die Leistungsschätzung</translation>
    </message>
    <message>
        <source>read power</source>
        <translation>read power</translation>
    </message>
    <message>
        <source>write power</source>
        <translation>write power</translation>
    </message>
    <message>
        <source>Pool %1</source>
        <translation>Pool %1</translation>
    </message>
    <message>
        <source>%1, last byte %2</source>
        <translation>%1, letztes Byte %2</translation>
    </message>
    <message>
        <source>switched off</source>
        <translation>ausgeschaltet</translation>
    </message>
    <message>
        <source>%1 of %2 used (%3 %)</source>
        <translation>%1 von %2 belegt (%3 %)</translation>
    </message>
    <message>
        <source>weights %1 · activations %2</source>
        <translation>Gewichte %1 · Aktivierungen %2</translation>
    </message>
    <message>
        <source>&lt;b&gt;Virtual group&lt;/b&gt;&lt;br&gt;%1&lt;br&gt;%2&lt;br&gt;%3 / %4 · freqRatio %5</source>
        <translation>&lt;b&gt;Virtuelle Gruppe&lt;/b&gt;&lt;br&gt;%1&lt;br&gt;%2&lt;br&gt;%3 / %4 · freqRatio %5</translation>
    </message>
    <message>
        <source>&lt;b&gt;Use&lt;/b&gt;&lt;br&gt;%1</source>
        <translation>&lt;b&gt;Belegung&lt;/b&gt;&lt;br&gt;%1</translation>
    </message>
    <message>
        <source>%1 at the end stay free.</source>
        <translation>%1 am Ende bleiben frei.</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::ProblemsPanel</name>
    <message>
        <source>line %1</source>
        <translation>Zeile %1</translation>
    </message>
    <message>
        <source>No problems found.</source>
        <translation>Keine Probleme gefunden.</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>Kopieren</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::RecapPanel</name>
    <message>
        <source>Compile a model: every operator is listed here with the epoch it went to.</source>
        <translation>Ein Modell übersetzen: hier steht jeder Operator mit der Epoche, in die er kam.</translation>
    </message>
    <message>
        <source>Text</source>
        <translation>Text</translation>
    </message>
    <message>
        <source>Shows the recap as plain text, to select and copy</source>
        <translation>Zeigt die Abbildung als Text zum Markieren und Kopieren</translation>
    </message>
    <message>
        <source>epoch</source>
        <translation>Epoche</translation>
    </message>
    <message>
        <source>Where the operator runs</source>
        <translation>Wo der Operator läuft</translation>
    </message>
    <message>
        <source>map</source>
        <translation>auf</translation>
    </message>
    <message>
        <source>HW: on the NPU; hybrid: with the CPU&apos;s help; SW: on the CPU</source>
        <translation>HW: auf der NPU; hybrid: mit Hilfe der CPU; SW: auf der CPU</translation>
    </message>
    <message>
        <source>kind</source>
        <translation>Art</translation>
    </message>
    <message>
        <source>Kind of operator</source>
        <translation>Art des Operators</translation>
    </message>
    <message>
        <source>operator</source>
        <translation>Operator</translation>
    </message>
    <message>
        <source>Name after the passes</source>
        <translation>Name nach den Durchgängen</translation>
    </message>
    <message>
        <source>units</source>
        <translation>Einheiten</translation>
    </message>
    <message>
        <source>Units that compute it</source>
        <translation>Einheiten, die ihn rechnen</translation>
    </message>
    <message>
        <source>why</source>
        <translation>warum</translation>
    </message>
    <message>
        <source>Why it is not pure hardware</source>
        <translation>Warum es nicht reine Hardware ist</translation>
    </message>
    <message>
        <source>in the model</source>
        <translation>im Modell</translation>
    </message>
    <message>
        <source>Nodes of the model that it stands for</source>
        <translation>Knoten des Modells, für die er steht</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::RunsPanel</name>
    <message>
        <source>Every compile and every committed edit of the pools is kept here, to compare.</source>
        <translation>Jedes Übersetzen und jede Änderung der Pools wird hier zum Vergleichen aufgehoben.</translation>
    </message>
    <message>
        <source>Select two runs and press Compare.</source>
        <translation>Zwei Läufe wählen und Vergleichen drücken.</translation>
    </message>
    <message>
        <source>Show</source>
        <translation>Zeigen</translation>
    </message>
    <message>
        <source>Pin</source>
        <translation>Anheften</translation>
    </message>
    <message>
        <source>Compare</source>
        <translation>Vergleichen</translation>
    </message>
    <message>
        <source>History</source>
        <translation>Verlauf</translation>
    </message>
    <message>
        <source>Differences</source>
        <translation>Unterschiede</translation>
    </message>
    <message>
        <source>Shows the selected run in all panels</source>
        <translation>Zeigt den gewählten Lauf in allen Ansichten</translation>
    </message>
    <message>
        <source>Keeps the selected run: others are dropped when there are more than %1</source>
        <translation>Behält den gewählten Lauf: andere fallen weg, wenn es mehr als %1 sind</translation>
    </message>
    <message>
        <source>Compares the two selected runs, or the selected one with the latest</source>
        <translation>Vergleicht die zwei gewählten Läufe oder den gewählten mit dem letzten</translation>
    </message>
    <message>
        <source>run</source>
        <translation>Lauf</translation>
    </message>
    <message>
        <source>Number in this session; ★ marks pinned runs</source>
        <translation>Nummer in dieser Sitzung; ★ kennzeichnet angeheftete Läufe</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>When it was made</source>
        <translation>Wann er entstand</translation>
    </message>
    <message>
        <source>what</source>
        <translation>was</translation>
    </message>
    <message>
        <source>Compile or edit</source>
        <translation>Übersetzen oder Änderung</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>passt</translation>
    </message>
    <message>
        <source>Whether every buffer found a place</source>
        <translation>Ob jeder Puffer Platz fand</translation>
    </message>
    <message>
        <source>yes</source>
        <translation>ja</translation>
    </message>
    <message>
        <source>no</source>
        <translation>nein</translation>
    </message>
    <message>
        <source>ms</source>
        <translation>ms</translation>
    </message>
    <message>
        <source>Calibrated estimate</source>
        <translation>Kalibrierte Schätzung</translation>
    </message>
    <message>
        <source>external B</source>
        <translation>extern B</translation>
    </message>
    <message>
        <source>Activation bytes outside the chip</source>
        <translation>Aktivierungsbytes außerhalb des Chips</translation>
    </message>
    <message>
        <source>peak B</source>
        <translation>Höchststand B</translation>
    </message>
    <message>
        <source>Largest sum of live activations</source>
        <translation>Größte Summe lebender Aktivierungen</translation>
    </message>
    <message>
        <source>epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Executed ones</source>
        <translation>Ausgeführte</translation>
    </message>
    <message>
        <source>options</source>
        <translation>Optionen</translation>
    </message>
    <message>
        <source>Resolved command line</source>
        <translation>Aufgelöste Befehlszeile</translation>
    </message>
    <message>
        <source>run %1</source>
        <translation>Lauf %1</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::SourceView</name>
    <message>
        <source>The text of the memory-pool file appears here.</source>
        <translation>Hier erscheint der Text der Speicher-Pool-Datei.</translation>
    </message>
    <message>
        <source>Text of the memory-pool file</source>
        <translation>Text der Speicher-Pool-Datei</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::TableView</name>
    <message>
        <source>Copy rows</source>
        <translation>Zeilen kopieren</translation>
    </message>
    <message>
        <source>Filter</source>
        <translation>Filter</translation>
    </message>
    <message>
        <source>Shows only rows that contain this text</source>
        <translation>Zeigt nur Zeilen, die diesen Text enthalten</translation>
    </message>
    <message>
        <source>%1 of %2 rows</source>
        <translation>%1 von %2 Zeilen</translation>
    </message>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n Zeile</numerusform>
            <numerusform>%n Zeilen</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::TablesPanel</name>
    <message>
        <source>Compile a model or open artefacts: the rows appear here.</source>
        <translation>Ein Modell übersetzen oder Artefakte öffnen: hier erscheinen die Zeilen.</translation>
    </message>
    <message>
        <source>Epochs</source>
        <translation>Epochen</translation>
    </message>
    <message>
        <source>Buffers</source>
        <translation>Puffer</translation>
    </message>
    <message>
        <source>Traffic</source>
        <translation>Verkehr</translation>
    </message>
    <message>
        <source>No traffic per pool is known for this network.</source>
        <translation>Für dieses Netz ist kein Verkehr je Pool bekannt.</translation>
    </message>
    <message>
        <source>Initialisers</source>
        <translation>Initialisierer</translation>
    </message>
    <message>
        <source>This network has no constants.</source>
        <translation>Dieses Netz hat keine Konstanten.</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::Timeline</name>
    <message>
        <source>Timeline</source>
        <translation>Zeitachse</translation>
    </message>
    <message>
        <source>Left and Right step through the epochs; P goes to the peak.</source>
        <translation>Links und Rechts gehen durch die Epochen; P geht zum Höchststand.</translation>
    </message>
    <message>
        <source>Nothing has been placed yet</source>
        <translation>Noch nichts platziert</translation>
    </message>
    <message>
        <source>After a compile every buffer is a rectangle here: epochs to the right, addresses upwards.</source>
        <translation>Nach dem Übersetzen ist jeder Puffer hier ein Rechteck: Epochen nach rechts, Adressen nach oben.</translation>
    </message>
    <message>
        <source>live</source>
        <translation>lebend</translation>
    </message>
    <message>
        <source>time</source>
        <translation>Zeit</translation>
    </message>
    <message>
        <source>peak %1</source>
        <translation>Höchststand %1</translation>
    </message>
    <message>
        <source>epoch %1</source>
        <translation>Epoche %1</translation>
    </message>
    <message>
        <source>compute</source>
        <translation>Rechnen</translation>
    </message>
    <message>
        <source>memory</source>
        <translation>Speicher</translation>
    </message>
    <message>
        <source>software</source>
        <translation>Software</translation>
    </message>
    <message>
        <source>epochs %1 to %2</source>
        <translation>Epochen %1 bis %2</translation>
    </message>
    <message>
        <source>%1 (%2)
%3
%4
alive in epochs %5 to %6</source>
        <translation>%1 (%2)
%3
%4
lebt in den Epochen %5 bis %6</translation>
    </message>
    <message>
        <source>epoch %1 (%2): %3, %4 alive</source>
        <translation>Epoche %1 (%2): %3, %4 lebend</translation>
    </message>
    <message>
        <source>epoch %1 (peak)</source>
        <translation>Epoche %1 (Höchststand)</translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::VerdictStrip</name>
    <message>
        <source>FITS</source>
        <translation>PASST</translation>
    </message>
    <message>
        <source>Every buffer has found a place.</source>
        <translation>Jeder Puffer hat Platz gefunden.</translation>
    </message>
    <message numerus="yes">
        <source>%n buffer(s) found no place.</source>
        <translation>
            <numerusform>%n Puffer fand keinen Platz.</numerusform>
            <numerusform>%n Puffer fanden keinen Platz.</numerusform>
        </translation>
    </message>
    <message>
        <source>The worst epoch lacks %1.</source>
        <translation>Der schlimmsten Epoche fehlen %1.</translation>
    </message>
    <message>
        <source>DOES NOT FIT</source>
        <translation>PASST NICHT</translation>
    </message>
    <message>
        <source>Estimated time of one inference.
Calibrated on boards: %1
Vendor&apos;s formula: %2 (%3 cycles)</source>
        <translation>Geschätzte Zeit einer Inferenz.
An Boards kalibriert: %1
Formel des Herstellers: %2 (%3 Takte)</translation>
    </message>
    <message>
        <source>external activations %1</source>
        <translation>externe Aktivierungen %1</translation>
    </message>
    <message>
        <source>Activation bytes that lie outside the chip, where every access is slow: %1</source>
        <translation>Aktivierungsbytes außerhalb des Chips, wo jeder Zugriff langsam ist: %1</translation>
    </message>
    <message>
        <source>live peak %1</source>
        <translation>Höchststand %1</translation>
    </message>
    <message>
        <source> of %1</source>
        <translation> von %1</translation>
    </message>
    <message>
        <source>Largest sum of activations alive at one epoch (epoch %1): %2
Internal pools offer %3
Sum over buffers, whenever they live: %4</source>
        <translation>Größte Summe lebender Aktivierungen in einer Epoche (Epoche %1): %2
Interne Pools bieten %3
Summe über Puffer, wann immer sie leben: %4</translation>
    </message>
    <message>
        <source>epochs %1 HW · %2 hybrid · %3 SW</source>
        <translation>Epochen %1 HW · %2 hybrid · %3 SW</translation>
    </message>
    <message>
        <source>%1 epochs run: %2 on the NPU, %3 with help of the CPU, %4 on the CPU alone; %5 epoch-controller blobs</source>
        <translation>%1 Epochen laufen: %2 auf der NPU, %3 mit Hilfe der CPU, %4 nur auf der CPU; %5 Epoch-Controller-Blobs</translation>
    </message>
    <message>
        <source>weights %1</source>
        <translation>Gewichte %1</translation>
    </message>
    <message>
        <source>Bytes of constants over all pools: %1</source>
        <translation>Bytes der Konstanten über alle Pools: %1</translation>
    </message>
    <message>
        <source>No result yet: open a model and a memory-pool file, then compile.</source>
        <translation>Noch kein Ergebnis: ein Modell und eine Speicher-Pool-Datei öffnen, dann übersetzen.</translation>
    </message>
</context>
</TS>
