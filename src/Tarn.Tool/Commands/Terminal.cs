using Spectre.Console;
using Spectre.Console.Rendering;
using Tarn.Pages;

namespace Tarn.Tool.Commands;

/// <summary>
/// The standard output and error: with styles in a terminal, plain text everywhere else. Whatever goes through here or through
/// <see cref="Console"/> is without what a terminal would obey, and an output that fails ends no command.
/// </summary>
internal static class Terminal
{
    /// <summary>A width at which no line breaks, for output that no one sees in a terminal.</summary>
    private const int Unbroken = 10_000;

    private static readonly LastingWriter s_output = new(Console.Out, keeps: true);
    private static readonly LastingWriter s_error = new(Console.Error, keeps: false);
    private static bool s_lacksFile;

    /// <summary>Whether a person sees the output.</summary>
    public static bool IsSeen => !Console.IsOutputRedirected;

    /// <summary>Whether a view can be drawn in place and obey keys.</summary>
    public static bool IsLive => IsSeen && !Console.IsInputRedirected && Screen.Profile.Capabilities.Ansi;

    /// <summary>Whether styles are welcome: see no-color.org.</summary>
    public static bool HasStyles => IsSeen && string.IsNullOrEmpty(Environment.GetEnvironmentVariable("NO_COLOR"))
        && Environment.GetEnvironmentVariable("TERM") != "dumb";

    /// <summary>Where to write tables and styled text.</summary>
    public static IAnsiConsole Output { get; } = Create(HasStyles);

    /// <summary>Where views are drawn in place, which takes more than styles.</summary>
    public static IAnsiConsole Screen { get; } = Create(isStyled: true);

    /// <summary>Cancelled when nobody receives the output any more.</summary>
    public static CancellationToken OutputEnded => s_output.Ended;

    /// <summary>Has <see cref="Console"/> write through here too.</summary>
    public static void TakeConsole()
    {
        Console.SetOut(new CleanWriter(s_output));
        Console.SetError(new CleanWriter(s_error));
    }

    /// <summary>Tells where a file is.</summary>
    public static void Tell(WrittenFile file) => Console.Error.WriteLine(Note(file));

    /// <summary>Where a file is, in words. One that is not where it was asked for fails the command.</summary>
    public static string Note(WrittenFile file)
    {
        s_lacksFile |= file.Problem is not null;
        return file.Problem is null ? file.Path : $"tarn: {file.Problem} It is kept in {file.Path}";
    }

    /// <summary>The exit code of a command that ends with this one, and fails if what was asked for is not where it should be.</summary>
    public static int Finish(int exitCode)
    {
        if (s_output.Tell() is { } problem)
        {
            Console.Error.WriteLine($"tarn: {problem}");
            s_lacksFile = true;
        }

        return exitCode == 0 && s_lacksFile ? ToolCommand.Refused : exitCode;
    }

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

    private static IAnsiConsole Create(bool isStyled)
    {
        var settings = new AnsiConsoleSettings { Out = new SafeOutput(new AnsiConsoleOutput(Console.Out)) };
        if (!isStyled)
        {
            (settings.Ansi, settings.ColorSystem) = (AnsiSupport.No, ColorSystemSupport.NoColors);
        }

        IAnsiConsole console = AnsiConsole.Create(settings);
        console.Pipeline.Attach(new CleanHook());
        if (!IsSeen)
        {
            console.Profile.Width = Unbroken;
        }

        return console;
    }

    private sealed class SafeOutput(AnsiConsoleOutput system) : IAnsiConsoleOutput
    {
        public TextWriter Writer => s_output;

        public bool IsTerminal => IsSeen;

        public int Width => system.Width;

        public int Height => system.Height;

        public void SetEncoding(System.Text.Encoding encoding)
        {
            // The system's stays.
        }
    }

    private sealed class CleanHook : IRenderHook
    {
        public IEnumerable<IRenderable> Process(RenderOptions options, IEnumerable<IRenderable> renderables) =>
            renderables.Select(one => new Clean(one));
    }

    /// <summary>What is drawn, but for what its texts would command. Its styles and what moves the cursor are the tool's.</summary>
    private sealed class Clean(IRenderable drawn) : IRenderable
    {
        public Measurement Measure(RenderOptions options, int maxWidth) => drawn.Measure(options, maxWidth);

        public IEnumerable<Spectre.Console.Rendering.Segment> Render(RenderOptions options, int maxWidth) =>
            drawn.Render(options, maxWidth).Select(static one => one.IsControlCode || one.IsLineBreak
                ? one
                : new Spectre.Console.Rendering.Segment(ForeignText.Lines(one.Text), one.Style, one.Link));
    }
}
