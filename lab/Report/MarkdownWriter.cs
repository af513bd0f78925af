using System.Text;
using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;
using Tarn.Lab.Report.Outline;
using Tarn.Lab.Report.Page;

namespace Tarn.Lab.Report;

/// <summary>The report for a pull request or a terminal: the same words and tables as the page, without the pictures.</summary>
internal static class MarkdownWriter
{
    public static string Write(LabReport report)
    {
        var md = new StringBuilder();
        var verdict = Verdict.Of(report);
        md.Append($"# {Escape(verdict.Headline)}\n\n");
        foreach (var sentence in verdict.Sentences)
        {
            md.Append($"- {Escape(sentence)}\n");
        }

        md.Append(verdict.Sentences.Count > 0 ? "\n" : "");
        md.Append(Escape(RunFacts.OneLine(report.Run))).Append(". The pictures are in `report.html`.\n");

        var subjects = ReportOutline.Of(report);
        AppendLosses(md, subjects);
        foreach (var subject in subjects)
        {
            AppendSubject(md, subject);
        }

        AppendChanges(md, report.Changes);
        AppendTargets(md, MissedTarget.Of(report, subjects));

        md.Append("\n## How this was measured\n\n");
        AppendTable(md, ["", ""], [false, false], RunFacts.Of(report.Run).Select(fact => new[] { fact.Name, fact.Value }));
        return md.ToString();
    }

    private static void AppendLosses(StringBuilder md, IReadOnlyList<SubjectOutline> subjects)
    {
        var losses = LossList.Of(subjects);
        if (losses.Count == 0)
        {
            return;
        }

        md.Append($"\n## {LossesPart.Title}\n");
        foreach (var list in losses)
        {
            md.Append($"\n### {Escape(list.Subject.Title)}: losses\n\n");
            foreach (var loss in list.Worth)
            {
                var (ours, peer) = (Quantity.Format(loss.OursValue, loss.Unit), Quantity.Format(loss.PeerValue, loss.Unit));
                md.Append($"- {Quantity.Ratio(loss.Ratio)} {Escape(loss.Title)}: {Escape(loss.Ours)} {ours}, {Escape(loss.Peer)} {peer}\n");
            }

            md.Append(list.Rest.Count > 0 ? $"- {list.RestWords}\n" : "");
        }
    }

    private static void AppendSubject(StringBuilder md, SubjectOutline subject)
    {
        md.Append($"\n## {Escape(subject.Title)}\n");
        md.Append(subject.Summary.Count > 0 ? $"\n{Escape(subject.Summary.Words)}.\n" : "");
        foreach (var experiment in subject.Experiments)
        {
            md.Append($"\n### {Escape(experiment.Title)}\n");
            md.Append(experiment.Section is { } section ? $"\n{Escape(section.Text)}\n" : "");
            AppendComparisons(md, experiment);
            foreach (var table in experiment.Section?.Tables ?? [])
            {
                AppendSectionTable(md, table);
            }
        }
    }

    private static void AppendComparisons(StringBuilder md, ExperimentOutline experiment)
    {
        var groups = experiment.Comparisons.GroupBy(c => c.Group).ToList();
        foreach (var group in groups)
        {
            md.Append(groups.Count > 1 ? $"\n#### {Escape(group.Key)}\n\n" : "\n");
            AppendTable(
                md,
                ["", "Ours", "Peer", "Ratio", "95 % interval", "Target", "Outcome"],
                [false, false, false, true, true, true, false],
                group.Select(c => new[]
                {
                    c.Title,
                    $"{c.Ours}: {Quantity.Format(c.OursValue, c.Unit)}",
                    $"{c.Peer}: {Quantity.Format(c.PeerValue, c.Unit)}",
                    Quantity.Ratio(c.Ratio),
                    $"{Quantity.Ratio(c.RatioLow)} to {Quantity.Ratio(c.RatioHigh)}",
                    c.Target is { } target ? $"{Quantity.Ratio(target)} {ComparisonWords.TargetWord(c)}" : Quantity.Missing,
                    ComparisonWords.Word(c),
                }));
        }
    }

    private static void AppendSectionTable(StringBuilder md, Table table)
    {
        // GitHub renders <details>; a table of two hundred rows would hide what follows it.
        var fold = table.Rows.Count > Table.OpenRows;
        var shown = table.Columns.Select((_, i) => Quantity.ForColumn(table, i)).ToList();
        md.Append($"\n#### {Escape(table.Title)}\n\n");
        md.Append(fold ? $"<details><summary>{table.Rows.Count} rows</summary>\n\n" : "");
        AppendTable(
            md,
            [.. table.Columns.Select(c => c.Title)],
            [.. table.Columns.Select(c => c.Kind is not ColumnKind.Text and not ColumnKind.YesNo)],
            table.Rows.Select(row => shown.Select((show, i) => show(row.ElementAtOrDefault(i))).ToArray()));
        md.Append(fold ? "\n</details>\n" : "");
        md.Append(table.Note.Length > 0 ? $"\n{Escape(table.Note)}\n" : "");
    }

    private static void AppendTargets(StringBuilder md, IReadOnlyList<MissedTarget> missed)
    {
        if (missed.Count == 0)
        {
            return;
        }

        md.Append($"\n## {TargetsPart.Title}\n\n");
        AppendTable(
            md,
            ["", "Subject", "Target", "Measured", "By how much"],
            [false, false, true, true, true],
            missed.Select(target => new[]
            {
                target.Title,
                target.Subject,
                Quantity.Format(target.Target, target.Unit),
                Quantity.Format(target.Measured, target.Unit),
                target.Excess,
            }));
    }

    private static void AppendChanges(StringBuilder md, IReadOnlyList<Change> changes)
    {
        if (changes.Count == 0)
        {
            return;
        }

        md.Append($"\n## Changes since the baseline\n\n{Escape(ComparisonWords.Summary(changes))}\n\n");
        AppendTable(
            md,
            ["", "Before", "Now", "Now ÷ before", "Change"],
            [false, true, true, true, false],
            ChangeOrder.Sort(changes).Select(c => new[]
            {
                c.Title,
                ChangeOrder.Before(c),
                ChangeOrder.Now(c),
                ChangeOrder.Quotient(c),
                ChangeOrder.Word(c.Kind),
            }));
    }

    private static void AppendTable(StringBuilder md, string[] headers, bool[] rightAligned, IEnumerable<string[]> rows)
    {
        md.Append("| ").AppendJoin(" | ", headers.Select(Escape)).Append(" |\n");
        md.Append('|').AppendJoin('|', rightAligned.Select(right => right ? "---:" : "---")).Append("|\n");
        foreach (var row in rows)
        {
            md.Append("| ").AppendJoin(" | ", row.Select(cell => Escape(cell).ReplaceLineEndings(" "))).Append(" |\n");
        }
    }

    /// <summary><c>BufferPool&lt;byte&gt;</c> would be read as an HTML element, and a bar would end a cell.</summary>
    private static string Escape(string text)
    {
        var escaped = new StringBuilder(text.Length + 16);
        foreach (var character in text)
        {
            _ = character switch
            {
                '&' => escaped.Append("&amp;"),
                '<' => escaped.Append("&lt;"),
                '>' => escaped.Append("&gt;"),
                '|' or '*' or '_' or '`' or '[' or ']' or '\\' or '#' or '~' => escaped.Append('\\').Append(character),
                _ => escaped.Append(character),
            };
        }

        return escaped.ToString();
    }
}
