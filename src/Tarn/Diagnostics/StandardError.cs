namespace Tarn;

/// <summary>Lines for whoever started the process, and did not ask for them in code.</summary>
internal static class StandardError
{
    /// <summary>Writes a line, or lines; a process without a standard error goes on without them.</summary>
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
