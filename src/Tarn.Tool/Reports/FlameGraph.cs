using System.Globalization;
using Tarn.Pages;
using Tarn.Tool.Analysis;
using Tarn.Traces;

namespace Tarn.Tool.Reports;

/// <summary>
/// Allocated bytes by stack, callers above their callees. Frames that all stacks begin with are left out: they say nothing. So are frames
/// too narrow to see; the table below the picture has every call site.
/// </summary>
internal static class FlameGraph
{
    private const double NarrowestShare = 0.004;
    private const int Deepest = 40;

    public static void Write(Markup html, Findings findings)
    {
        var root = new Frame("", 0);
        foreach ((int stack, long bytes) in findings.AllocatedByStack)
        {
            if (stack != 0)
            {
                root.Add([.. findings.Details.Stacks.Walk(stack).Select(Name).Reverse()], bytes);
            }
        }

        while (root.Callees.Count == 1 && root.Callees.Values.Single() is { Callees.Count: > 0 } only && only.Bytes == root.Bytes)
        {
            root = only;
        }

        if (root.Callees.Count == 0)
        {
            return;
        }

        html.Raw("<figure class=\"flames\"><figcaption>");
        html.Text("h4", "Allocated bytes by stack");
        html.Text("p", "The wider, the more bytes. Callers are above their callees; point at one for its name.");
        html.Raw("</figcaption>");
        html.Raw("<div class=\"callees\" role=\"img\" aria-label=\"Allocated bytes by stack; the table below has the sites\">");
        foreach (Frame frame in root.Sorted)
        {
            Write(html, frame, root.Bytes, root.Bytes, Deepest);
        }

        html.Raw("</div></figure>\n");
    }

    private static void Write(Markup html, Frame frame, long parent, long all, int deepest)
    {
        if (frame.Bytes < all * NarrowestShare || deepest == 0)
        {
            return;
        }

        string width = (100.0 * frame.Bytes / parent).ToString("0.###", CultureInfo.InvariantCulture);
        string title = Markup.Encode($"{frame.Name}: {Words.Bytes(frame.Bytes)}, {(double)frame.Bytes / all:P1}");
        html.Raw($"<div style=\"width:{width}%\"><span title=\"{title}\">{Markup.Encode(Short(frame.Name))}</span>");
        if (frame.Callees.Count > 0)
        {
            html.Raw("<div class=\"callees\">");
            foreach (Frame callee in frame.Sorted)
            {
                Write(html, callee, frame.Bytes, all, deepest - 1);
            }

            html.Raw("</div>");
        }

        html.Raw("</div>");
    }

    private static string Name(StackFrame frame) => CallSite.Text(frame);

    /// <summary>The type and the method: namespaces would fill the width.</summary>
    private static string Short(string name)
    {
        string method = name.Split(" in ", 2)[0];
        int generic = method.IndexOf('<', StringComparison.Ordinal);
        string head = generic < 0 ? method : method[..generic];
        int dot = head.LastIndexOf('.');
        int before = dot <= 0 ? -1 : head.LastIndexOf('.', dot - 1);
        return method[(before + 1)..];
    }

    private sealed class Frame(string name, long bytes)
    {
        public string Name { get; } = name;

        public long Bytes { get; private set; } = bytes;

        public Dictionary<string, Frame> Callees { get; } = [];

        public IEnumerable<Frame> Sorted => Callees.Values.OrderByDescending(frame => frame.Bytes);

        public void Add(ReadOnlySpan<string> stack, long bytes)
        {
            Bytes += bytes;
            if (stack.Length > 0)
            {
                if (!Callees.TryGetValue(stack[0], out Frame? callee))
                {
                    Callees.Add(stack[0], callee = new Frame(stack[0], 0));
                }

                callee.Add(stack[1..], bytes);
            }
        }
    }
}
