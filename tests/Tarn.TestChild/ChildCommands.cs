namespace Tarn.TestChild;

/// <summary>
/// Commands on standard input. Each line is answered by one on standard output: what the command returns, or its exception. Ends with the
/// input.
/// </summary>
internal static class ChildCommands
{
    internal static void Run(Func<string[], string> obey)
    {
        Console.WriteLine("ready");
        while (Console.ReadLine() is { } line)
        {
            string answer;
            try
            {
                answer = obey(line.Split(' '));
            }
#pragma warning disable CA1031 // whatever it is, the test gets it
            catch (Exception e)
#pragma warning restore CA1031
            {
                answer = $"{e.GetType().Name} {e.Message}";
            }

            Console.WriteLine(answer.ReplaceLineEndings(" "));
        }
    }
}
