using Tarn.Lab.Model;
using Tarn.Lab.Report;

namespace Tarn.Lab.Tests.Report;

public class TextWritersTests
{
    [Fact]
    public void Csv_contains_raw_numbers_and_quotes_fields_if_necessary()
    {
        var odd = SampleReport.Build().Sections[^1].Tables[0];

        Assert.Equal(
            "\"Name, with comma\",Value (ns),Kept,Size (B)\n"
            + "<img src=x onerror=alert(1)>,1.5,yes,16\n"
            + "\"a,b\",NaN,no,100000\n"
            + "\"say \"\"hi\"\"\",,,1536\n"
            + "\"two\nlines\",0,yes,0\n"
            + ",-3,,1000000000000\n",
            CsvWriter.Write(odd));
    }

    [Fact]
    public void Csv_of_comparisons_has_one_line_each()
    {
        var lines = CsvWriter.Write(SampleReport.Build().Comparisons).TrimEnd('\n').Split('\n');

        Assert.Equal(18, lines.Length);
        Assert.StartsWith("id,group,title,ours,peer,unit,", lines[0], StringComparison.Ordinal);
        Assert.StartsWith("first-use,Rarely,First use of a size on a fresh thread,BufferPool<byte>,", lines[9], StringComparison.Ordinal);
        Assert.EndsWith(",41,1.2,loss,missed", lines[9], StringComparison.Ordinal);
        Assert.EndsWith(",41,,no difference,", lines[11], StringComparison.Ordinal);
    }

    [Fact]
    public void Markdown_opens_with_the_verdict_and_keeps_its_tables_whole()
    {
        var markdown = MarkdownWriter.Write(SampleReport.Build());

        Assert.StartsWith("# Tarn wins 11 of 17 comparisons, loses 4, and shows no difference in 2.\n", markdown, StringComparison.Ordinal);
        Assert.Contains(
            "| One buffer of 1 KiB, rented and returned | BufferPool&lt;byte&gt;: 12.2 ns | ArrayPool&lt;byte&gt;.Shared: 20.0 ns | "
                + "0.61× |",
            markdown,
            StringComparison.Ordinal);
        Assert.Contains("<details><summary>216 rows</summary>", markdown, StringComparison.Ordinal);
        Assert.Contains("| two lines | 0 ns | yes | 0 B |", markdown, StringComparison.Ordinal);
        Assert.Contains("ampersands \\| bars", markdown, StringComparison.Ordinal);
        Assert.Contains("## Changes since the baseline", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("<script>", markdown, StringComparison.Ordinal);
        Assert.DoesNotContain("<img", markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Markdown_goes_from_the_verdict_over_the_losses_and_the_subjects_to_the_missed_targets()
    {
        var markdown = MarkdownWriter.Write(SampleReport.Build());

        var headings = markdown.Split('\n').Where(line => line.StartsWith("## ", StringComparison.Ordinal)).Select(line => line[3..]);
        Assert.Equal(
            [
                "Losses worth knowing", "Array pool", "Native heap", "Streams", "Shared memory", "Other work",
                "Changes since the baseline", "Missed targets", "How this was measured",
            ],
            headings);
        Assert.Contains("- 2.40× Peak of 32 threads that each touch every size once: ", markdown, StringComparison.Ordinal);
        Assert.Contains(
            "| First use of a size on a fresh thread | Array pool | 1.20× | 1.31× | +9.2 % |", markdown, StringComparison.Ordinal);
    }

    [Fact]
    public void Every_row_of_a_markdown_table_has_as_many_cells_as_its_head()
    {
        var columns = 0;
        foreach (var line in MarkdownWriter.Write(SampleReport.Build()).Split('\n'))
        {
            var bars = line.Replace("\\|", "", StringComparison.Ordinal).Count(c => c == '|');
            if (bars > 0 && columns > 0)
            {
                Assert.True(bars == columns, line);
            }

            columns = bars;
        }
    }

    [Fact]
    public void The_page_encodes_all_text_and_refers_to_nothing_outside()
    {
        var html = HtmlWriter.Write(SampleReport.Build());

        Assert.DoesNotContain("<script>alert", html, StringComparison.Ordinal);
        Assert.DoesNotContain("<img", html, StringComparison.Ordinal);
        Assert.DoesNotContain("<odd>", html, StringComparison.Ordinal);
        Assert.DoesNotContain("http:", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("https:", html, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("NaN,", html, StringComparison.Ordinal);
        Assert.Contains("Odd values &amp; &lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;", html, StringComparison.Ordinal);
    }

    [Fact]
    public void An_empty_report_is_still_a_page_and_a_document()
    {
        var empty = SampleReport.Empty();

        Assert.Contains("This run compared nothing with a peer.", HtmlWriter.Write(empty), StringComparison.Ordinal);
        Assert.Contains("This run compared nothing with a peer.", MarkdownWriter.Write(empty), StringComparison.Ordinal);
        Assert.Single(CsvWriter.Write(empty.Comparisons).TrimEnd('\n').Split('\n'));
    }
}
