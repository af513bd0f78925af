using Tarn.Lab.Model;
using Tarn.Lab.Report.Facts;

namespace Tarn.Lab.Report.Page;

/// <summary>The end of the page: machine, software, settings, and the command to repeat the run.</summary>
internal static class RunPart
{
    public static void Write(Markup html, RunInfo run)
    {
        html.Raw("<section id=\"run\">\n");
        html.Text("h2", "How this was measured");
        html.Raw("<dl class=\"facts\">\n");
        foreach (var (name, value) in RunFacts.Of(run))
        {
            html.Raw("<div>");
            html.Text("dt", name);
            var text = Markup.Encode(value);
            html.Raw(name == "Command" ? $"<dd><code class=\"command\">{text}</code></dd>" : $"<dd>{text}</dd>");
            html.Raw("</div>\n");
        }

        html.Raw("</dl>\n</section>\n");
    }
}
