namespace Tarn.Diagnostics;

/// <summary>Writes lines for the person who started the process, which the program's code did not request.</summary>
internal static class StandardError
{
    /// <summary>Writes one or more lines. A process without a standard error continues without them.</summary>
    internal static void WriteLine(string text)
    {
        try
        {
            Console.Error.WriteLine($"Tarn: {text}");
        }
        catch (IOException)
        {
        }
    }
}
