using System.Globalization;
using Tarn.Lab.Measurement;

namespace Tarn.Lab.Experiments.ByteArrays;

/// <summary>All loops of one table in a process of its own, because its collector is chosen when it starts.</summary>
internal sealed class FrameLoopsJob : IChildJob
{
    private const string JobName = "frame-loops";
    private const string Full = "full";
    private const string Quick = "quick";

    public string Name => JobName;

    /// <summary>Nanoseconds of every loop, by <see cref="FrameCell"/>.</summary>
    /// <exception cref="InvalidOperationException">The child failed; the message contains its output.</exception>
    public static IReadOnlyDictionary<FrameCell, double> Start(FrameLoops loops, string collector, bool isFull, int seed)
    {
        var environment = new Dictionary<string, string> { ["DOTNET_gcServer"] = collector == FrameCell.Server ? "1" : "0" };
        return FromValues(ChildProcess.Run(JobName, environment, ToArguments(loops, collector, isFull, seed)), collector);
    }

    public IReadOnlyDictionary<string, double> Run(IReadOnlyList<string> arguments)
    {
        if (arguments.Count != 4)
        {
            throw new InvalidDataException("The job requires the arguments: table, collector, quick or full, seed.");
        }

        var loops = FrameLoops.Find(arguments[0]);
        if (arguments[1] != FrameCell.CollectorHere)
        {
            throw new InvalidDataException($"The collector here is {FrameCell.CollectorHere}, not {arguments[1]}.");
        }

        bool isFull = arguments[2] == Full;
        var random = new Random(int.Parse(arguments[3], CultureInfo.InvariantCulture));
        loops.WarmUpCode();
        return FrameLoops.SizesOf(isFull)
            .SelectMany(size => Measure(loops, size, isFull, random))
            .ToDictionary(one => one.Key.Key, one => one.Value);
    }

    internal static string[] ToArguments(FrameLoops loops, string collector, bool isFull, int seed) =>
        [loops.Id, collector, isFull ? Full : Quick, seed.ToString(CultureInfo.InvariantCulture)];

    internal static IReadOnlyDictionary<FrameCell, double> FromValues(IReadOnlyDictionary<string, double> found, string collector) =>
        found.ToDictionary(
            entry => entry.Key.Split(' ', 3) is [var code, var size, var way]
                ? new FrameCell(collector, Enum.Parse<LoopCode>(code), way, int.Parse(size, CultureInfo.InvariantCulture))
                : throw new InvalidDataException($"{entry.Key} is not a result of a loop."),
            entry => entry.Value);

    /// <summary>Measures both builds by turns at one size.</summary>
    internal static IEnumerable<KeyValuePair<FrameCell, double>> Measure(FrameLoops loops, int size, bool isFull, Random random)
    {
        (FrameCell Cell, Action<int> Loop)[] all =
        [
            .. Enum.GetValues<LoopCode>().SelectMany(code =>
                loops.At(code, size).Select(loop => (new FrameCell(FrameCell.CollectorHere, code, loop.Name, size), loop.Loop))),
        ];
        RoundSamples samples = PairedRounds.Measure(
            [.. all.Select(one => new CompiledLoopTrial(one.Cell.Way, one.Loop))], RoundsOf(size, isFull), random);
        return all.Select((one, index) => KeyValuePair.Create(one.Cell, samples.Median(index)));
    }

    /// <summary>
    /// Returns few rounds, because there are many loops. Figures that must be precise are compared by turns in one process.
    /// </summary>
    private static RoundSettings RoundsOf(int size, bool isFull) => size switch
    {
        <= 1 << 20 => isFull ? new(15, TimeSpan.FromMilliseconds(4)) : new(7, TimeSpan.FromMilliseconds(2)),
        <= 16 << 20 => isFull ? new(9, TimeSpan.FromMilliseconds(8)) : new(5, TimeSpan.FromMilliseconds(4)),
        _ => new(5, TimeSpan.FromMilliseconds(4)),
    };
}
