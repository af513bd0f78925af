using Spectre.Console;

namespace Tarn.Tool.Commands;

/// <summary>The standard output: with styles in a terminal, plain text everywhere else.</summary>
internal static class Terminal
{
    /// <summary>A width at which no line breaks, for output that no one sees in a terminal.</summary>
    private const int Unbroken = 10_000;

    /// <summary>Whether a person sees the output.</summary>
    public static bool IsSeen => !Console.IsOutputRedirected;

    /// <summary>Whether styles are welcome: see no-color.org.</summary>
    public static bool HasStyles => IsSeen && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"))
        && Environment.GetEnvironmentVariable("TERM") != "dumb";

    /// <summary>Where to write tables and styled text.</summary>
    public static IAnsiConsole Output { get; } = Create();

    /// <summary>The last key that was pressed, in lower case; a zero if none was.</summary>
    public static char ReadKey()
    {
        char key = '\0';
        while (Console.KeyAvailable)
        {
            key = char.ToLowerInvariant(Console.ReadKey(intercept: true).KeyChar);
        }

        return key;
    }

    private static IAnsiConsole Create()
    {
        IAnsiConsole console = HasStyles
            ? AnsiConsole.Console
            : AnsiConsole.Create(new AnsiConsoleSettings { Ansi = AnsiSupport.No, ColorSystem = ColorSystemSupport.NoColors });
        if (!IsSeen)
        {
            console.Profile.Width = Unbroken;
        }

        return console;
    }
}
