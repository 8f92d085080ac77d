<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="en_GB">
<context>
    <name>poolwright::app::MainWindow</name>
    <message numerus="yes">
        <source>%n file(s) written to %1</source>
        <translation>
            <numerusform>%n file written to %1</numerusform>
            <numerusform>%n files written to %1</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::EpochGraphPanel</name>
    <message numerus="yes">
        <source>%n found</source>
        <translation>
            <numerusform>%n found</numerusform>
            <numerusform>%n found</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::TableView</name>
    <message numerus="yes">
        <source>%n row(s)</source>
        <translation>
            <numerusform>%n row</numerusform>
            <numerusform>%n rows</numerusform>
        </translation>
    </message>
</context>
<context>
    <name>poolwright::widgets::VerdictStrip</name>
    <message numerus="yes">
        <source>%n buffer(s) found no place.</source>
        <translation>
            <numerusform>%n buffer found no place.</numerusform>
            <numerusform>%n buffers found no place.</numerusform>
        </translation>
    </message>
</context>
</TS>
