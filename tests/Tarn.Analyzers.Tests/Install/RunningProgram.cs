using System.Diagnostics;
using System.Text;
using System.Text.RegularExpressions;

namespace Tarn.Analyzers.Tests.Install;

/// <summary>A program that runs until it is disposed.</summary>
internal sealed class RunningProgram : IAsyncDisposable
{
    private static readonly TimeSpan s_longest = TimeSpan.FromMinutes(2);

    private readonly Process _process;

    internal RunningProgram(string folder, string[] arguments)
    {
        ProcessStartInfo start = new(Environment.GetEnvironmentVariable("DOTNET_HOST_PATH") ?? "dotnet", arguments)
        {
            WorkingDirectory = folder,
            RedirectStandardOutput = true,
        };
        _process = Process.Start(start)!;
    }

    /// <summary>Reads what it writes until a line has a pattern.</summary>
    internal async Task<Match> ReadUntilAsync(Regex pattern)
    {
        using CancellationTokenSource tooLate = new(s_longest);
        StringBuilder read = new();
        while (await _process.StandardOutput.ReadLineAsync(tooLate.Token) is { } line)
        {
            read.AppendLine(line);
            if (pattern.Match(line) is { Success: true } match)
            {
                return match;
            }
        }

        throw new InvalidOperationException($"The program ended without a line like {pattern}:\n{read}");
    }

    public async ValueTask DisposeAsync()
    {
        _process.Kill(entireProcessTree: true);
        await _process.WaitForExitAsync();
        _process.Dispose();
    }
}
