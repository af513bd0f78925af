using System.Diagnostics;
using System.Globalization;
using Tarn.Tests.Tidy;
using Xunit.Abstractions;

namespace Tarn.SharedMemory.Tests.Carriers;

/// <summary>
/// The programs that docs/shared-memory.md shows for services that restart, under SIGKILL of either side at random moments: the numbers
/// that the readers print follow each other, whoever wrote them, and one is printed twice only where a reader began anew.
/// </summary>
public sealed class RestartExampleTests(ITestOutputHelper output) : RingTest
{
    private static readonly int s_leastKills = StressLength.Times(3, 6);

    private readonly Random _random = new();

    [Fact]
    public void The_page_shows_what_is_run_here()
    {
        string[] page = [.. CodeBlocks.Extract(File.ReadAllText(Repository.At("docs/shared-memory.md"))).Select(Normalize)];
        string run = File.ReadAllText(Repository.At("tests/Tarn.TestChild/RestartExamples.cs"));
        string source = Normalize(run.Replace("(name,", "(\"readings\",", StringComparison.Ordinal));
        string[] shown = [.. page.Where(static example => example.Contains("\"readings\"", StringComparison.Ordinal))];

        Assert.Equal(2, shown.Length);
        Assert.All(shown, example => Assert.Contains(example, source, StringComparison.Ordinal));

        static string Normalize(string code) =>
            string.Join(' ', code.Split((char[])[' ', '\n', '\r'], StringSplitOptions.RemoveEmptyEntries));
    }

    [SkippableTheory]
    [InlineData(false)]
    [InlineData(true)]
    public void Nothing_is_lost_and_nothing_comes_twice_except_where_a_reader_began_anew(bool inNamespaces)
    {
        Skip.If(inNamespaces && OperatingSystem.IsWindows(), "Windows has no namespaces of process ids.");
        Printed printed = new();
        Side writer = new("write", Name, inNamespaces, null);
        Side reader = new("read", Name, inNamespaces, printed);
        int kills = 0;
        try
        {
            for (Stopwatch run = Stopwatch.StartNew(); kills < s_leastKills || run.Elapsed < StressLength.Duration; kills++)
            {
                long before = printed.Count;
                Eventually.True(() => printed.Count > before, "numbers are printed");
                Thread.Sleep(_random.Next(20));
                int who = _random.Next(3);
                Side[] victims = who switch { 0 => [writer], 1 => [reader], _ => [writer, reader] };
                Array.ForEach(victims, static side => side.Restart());
            }
        }
        finally
        {
            writer.Dispose();
            reader.Dispose();
        }

        VerifyRest(printed);
        output.WriteLine($"{kills} rounds of kills, {printed.Count} numbers, {printed.Repeated} of them twice.");
        Assert.Empty(printed.Faults);
        Assert.InRange(printed.Repeated, 0, kills);
    }

    /// <summary>The ring, which nobody uses any more, holds the numbers that follow, as far as they were written.</summary>
    private void VerifyRest(Printed printed)
    {
        using (SharedRing ring = SharedRing.Open(Name))
        {
            printed.BeginReader();
            byte[] message = new byte[8];
            while (ring.TryRead(message, out int length))
            {
                Assert.Equal(8, length);
                printed.Take(BitConverter.ToInt64(message).ToString(CultureInfo.InvariantCulture));
            }

            Assert.Equal(ring.WritePosition / 16, printed.Next);
            ring.Validate();
        }

        Assert.True(SharedRegion.Delete(Name));
    }

    /// <summary>The numbers that the readers printed, in order.</summary>
    private sealed class Printed
    {
        private bool _isFirst = true;
        private long _count;

        /// <summary>The number that is due.</summary>
        internal long Next { get; private set; }

        internal long Count => Volatile.Read(ref _count);

        internal int Repeated { get; private set; }

        internal List<string> Faults { get; } = [];

        internal void BeginReader() => _isFirst = true;

        internal void Take(string line)
        {
            if (!long.TryParse(line, CultureInfo.InvariantCulture, out long number))
            {
                Faults.Add(line);
                return;
            }

            if (_isFirst && number == Next - 1)
            {
                Repeated++;
            }
            else if (number != Next++)
            {
                Faults.Add($"{number} came in place of {Next - 1}.");
            }

            _isFirst = false;
            Volatile.Write(ref _count, _count + 1);
        }
    }

    /// <summary>One of the two programs, and the process that follows it when it is killed.</summary>
    private sealed class Side : IDisposable
    {
        private readonly string[] _arguments;
        private readonly bool _inNamespace;
        private readonly Printed? _printed;
        private RestartChild _child;
        private RestartChild _next;
        private Thread? _printing;

        internal Side(string side, string ring, bool inNamespace, Printed? printed)
        {
            _arguments = ["restarts", side, ring];
            (_inNamespace, _printed) = (inNamespace, printed);
            _child = new RestartChild(_arguments, inNamespace);
            _next = new RestartChild(_arguments, inNamespace);
            Begin();
        }

        internal void Restart()
        {
            End();
            _child = _next;
            _next = new RestartChild(_arguments, _inNamespace);
            Begin();
        }

        public void Dispose()
        {
            End();
            _next.Dispose();
        }

        private void Begin()
        {
            string? ready = _child.ReadLine();
            Skip.If(_inNamespace && ready is null, "The process may not have ids of its own.");
            Assert.Equal("ready", ready);
            _child.Tell("go");
            _printed?.BeginReader();
            RestartChild child = _child;
            _printing = new Thread(() =>
            {
                while (child.ReadLine() is { } line)
                {
                    (_printed ?? throw new InvalidOperationException($"The writer wrote: {line}")).Take(line);
                }
            });
            _printing.Start();
        }

        /// <summary>All that it printed has been read when this returns.</summary>
        private void End()
        {
            _child.Kill();
            _printing?.Join();
            _child.Dispose();
        }
    }

    private sealed class RestartChild(string[] arguments, bool inNamespace)
        : CommandedChild(arguments, inNamespace ? OtherNamespace.Limits : null);
}
