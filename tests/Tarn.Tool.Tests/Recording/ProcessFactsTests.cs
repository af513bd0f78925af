using Microsoft.Diagnostics.NETCore.Client;
using Tarn.Traces;

namespace Tarn.Tool.Tests.Recording;

/// <summary>What a recording knows of a process that answers late, or never again.</summary>
public class ProcessFactsTests
{
    private static readonly ProcessFacts s_before = new("dotnet", "program", ".NET 10.0.0");
    private static readonly ProcessFacts s_started = s_before with { Command = "dotnet program.dll --all" };

    /// <summary>A short program may end before its thread for questions runs again.</summary>
    [Fact]
    public void The_answer_of_before_the_start_counts_when_none_follows()
    {
        var process = new Process(_ => ProcessFacts.Unknown);
        using CancellationTokenSource hasStarted = new();
        hasStarted.Cancel();

        Assert.Equal(s_before, ProcessFacts.AskUntil(process, s_before, hasStarted.Token, CancellationToken.None));
    }

    [Fact]
    public void A_question_that_is_open_when_the_first_rent_is_seen_is_asked_again()
    {
        using CancellationTokenSource hasStarted = new();
        var process = new Process(question =>
        {
            hasStarted.Cancel();
            return question == 1 ? s_before : s_started;
        });

        Assert.Equal(s_started, ProcessFacts.AskUntil(process, s_before, hasStarted.Token, CancellationToken.None));
        Assert.Equal(2, process.Questions);
    }

    [Fact]
    public void A_process_without_an_entry_assembly_is_asked_until_it_has_one()
    {
        ProcessFacts host = s_before with { Program = "" };
        using CancellationTokenSource hasStarted = new();
        var process = new Process(question =>
        {
            if (question == 5)
            {
                hasStarted.Cancel();
            }

            return question < 5 ? host : s_started;
        });

        Assert.Equal(s_started, ProcessFacts.AskUntil(process, host, hasStarted.Token, CancellationToken.None));
    }

    /// <summary>Answers with what <paramref name="answer"/> returns for the number of the question, from 1.</summary>
    private sealed class Process(Func<int, ProcessFacts> answer) : IRecordedProcess
    {
        public int Id => 1;

        internal int Questions { get; private set; }

        public IEventSession Start(EventPipeProvider[] providers, bool withStacks, int bufferMegabytes) =>
            throw new NotSupportedException("It is only asked.");

        public ProcessFacts Ask(CancellationToken cancellation) => answer(++Questions);
    }
}
