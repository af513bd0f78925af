namespace Tarn.Tool.Watching;

/// <summary>Values as a line of blocks, the highest as tall as the line.</summary>
internal static class Sparkline
{
    private const string Blocks = "▁▂▃▄▅▆▇█";

    public static string Of(IReadOnlyList<long> values)
    {
        if (values.Count == 0)
        {
            return "";
        }

        long most = Math.Max(1, values.Max());
        return string.Concat(values.Select(value => Blocks[(int)Math.Min(Blocks.Length - 1, Math.Max(0, value) * Blocks.Length / most)]));
    }
}
