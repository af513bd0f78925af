using System.Globalization;
using Tarn.Lab.Measurement;
using Tarn.Lab.Model;
using Tarn.Lab.Workloads.Copies;
using Tarn.Lab.Workloads.Native;

namespace Tarn.Lab.Experiments.Native;

/// <summary>What huge pages are worth: reads of a typed buffer that has them, and of memory that may not.</summary>
internal sealed unsafe class HugePagesExperiment : IExperiment
{
    private const string Group = "Huge pages";
    private const string Huge = "Rent, HugePages";
    private const string Small = "pages of 4 KiB";
    private const int Size = 256 << 20;
    private const int Line = 64;
    private static readonly int[] s_sizes = [1 << 20, 4 << 20, 16 << 20, 64 << 20, Size];

    public string Id => "huge-pages";

    public string Title => "Huge pages: when they pay";

    public double QuickSeconds => 15;

    public double FullSeconds => 60;

    public ExperimentResult Run(ExperimentContext context)
    {
        using NativeHeap heap = new(new NativeHeapOptions { Name = "lab huge pages", Checks = BufferChecks.None });
        double before = ReadHugeBytes();
        using NativeBuffer<byte> huge = heap.AllocateBuffer<byte>(Size, new() { HugePages = true });
        huge.Span.Fill(1);
        double granted = ReadHugeBytes() - before;
        using AdvisedMemory small = new(Size, isHuge: false);

        Sweep random = Sweep.Run(context.Part(1, 2), s_sizes, size =>
        [
            new LoopTrial<RandomReads>(Huge, new(huge.Pointer, size)),
            new LoopTrial<RandomReads>(Small, new(small.Address, size)),
        ]);
        Sweep ordered = Sweep.Run(context.Part(2, 2), s_sizes, size =>
        [
            new LoopTrial<OrderedReads>(Huge, new(huge.Pointer, size), size / Line),
            new LoopTrial<OrderedReads>(Small, new(small.Address, size), size / Line),
        ]);
        return new ExperimentResult(Describe(random, ordered))
        {
            Figures = [new Figure { Id = "huge-pages-granted", Title = "The buffer's bytes in huge pages", Value = granted, Unit = "B" }],
            Comparisons =
            [
                .. random.Compare(
                    0, 1, static size => $"huge-pages-random-{ByteSize.Id(size)}", Group,
                    static size => $"Random reads among {ByteSize.Text(size)}"),
                .. ordered.Compare(
                    0, 1, static size => $"huge-pages-ordered-{ByteSize.Id(size)}", Group,
                    static size => $"Reads of {ByteSize.Text(size)} in order"),
            ],
        };
    }

    /// <summary>The bytes of this process that the system keeps in huge pages; 0 where it does not say.</summary>
    private static double ReadHugeBytes()
    {
        const string Path = "/proc/self/smaps_rollup";
        const string Name = "AnonHugePages:";
        IEnumerable<string> lines = File.Exists(Path) ? File.ReadLines(Path) : [];
        string? line = lines.FirstOrDefault(static line => line.StartsWith(Name, StringComparison.Ordinal));
        return line is null ? 0 : 1024 * double.Parse(line[Name.Length..^"kB".Length], CultureInfo.InvariantCulture);
    }

    private Section Describe(Sweep random, Sweep ordered) => new()
    {
        Id = Id,
        Title = Title,
        Text = "One thread reads a typed buffer of 256 MiB with the option for huge pages, and memory that was excluded from them "
            + "(`MADV_NOHUGEPAGE`). Random reads each wait for the one before. A processor knows the places of about two thousand pages: "
            + "8 MiB of small ones, 4 GiB of huge ones. Beyond, each read also looks its page up, in tables that are in the caches or not. "
            + "Where the system grants no huge pages, both columns agree.",
        Tables =
        [
            random.Times("huge-pages-random", "Random reads", "One read that waits for the last.", new Column("Among", ColumnKind.Bytes)),
            ordered.Times("huge-pages-ordered", "Reads in order", "One cache line of 64 bytes.", new Column("All of", ColumnKind.Bytes)),
        ],
    };
}
