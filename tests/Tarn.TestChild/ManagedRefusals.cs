using System.Runtime.CompilerServices;

namespace Tarn.TestChild;

/// <summary>
/// Calls a native heap while the collector's heap is full but for a few bytes, so that one managed allocation after the other is refused.
/// Writes a line for each kind of call. It may throw <see cref="OutOfMemoryException"/> and has then changed nothing: the equations of the
/// heap hold, the block is its caller's, the end of the heap waits for nothing, and everything reserved goes back. Argument: how many
/// amounts of memory to leave.
/// </summary>
/// <remarks>As in <see cref="ReturnsWithoutMemory"/>, each call first runs with memory.</remarks>
internal static unsafe class ManagedRefusals
{
    private const nuint Size = 300_000;

    /// <summary>It only keeps a heap whose end waits for ever from hanging the process.</summary>
    private static readonly TimeSpan s_limit = TimeSpan.FromSeconds(60);

    private static readonly int[] s_slacks = [0, 100, 300, 1000, 3000, 200, 500, 2000, 40, 700, 1500, 6000];

    private static readonly (string Name, BufferChecks Checks, Action<Subject> Call)[] s_calls =
    [
        ("dispose", BufferChecks.None, static subject => subject.Heap.Dispose()),
        ("dispose with checks", BufferChecks.Returns | BufferChecks.Leaks, static subject => subject.Heap.Dispose()),
        ("grow a large buffer", BufferChecks.None, static subject => subject.Reallocate(20 * Size)),
        ("shrink a large buffer", BufferChecks.None, static subject => subject.Reallocate(270_000)),
        ("create large buffers", BufferChecks.None, static subject => subject.Allocate(7 << 20)),
        ("create slabs", BufferChecks.None, static subject => subject.Allocate(3000)),
        ("create regions", BufferChecks.None, static subject => subject.Allocate(250_000)),
        ("create checked blocks", BufferChecks.Returns, static subject => subject.Allocate(100)),
        ("trim", BufferChecks.None, static subject => subject.Heap.Trim()),
        ("tick", BufferChecks.None, static subject => subject.Heap.Core.Trimmer.OnTick(new TrimOccasion(TimeSpan.FromHours(9), false))),
    ];

    internal static void Run(string[] arguments)
    {
        int amounts = int.Parse(arguments[0]);
        foreach ((string name, BufferChecks checks, Action<Subject> call) in s_calls)
        {
            int refused = 0;
            string outcome = RunOnce(checks, call, slack: -1, ref refused);
            for (int i = 0; i < Math.Min(amounts, s_slacks.Length) && outcome == "held"; i++)
            {
                outcome = RunOnce(checks, call, s_slacks[i], ref refused);
            }

            Console.WriteLine($"{name}, {refused} times refused: {outcome}");
        }
    }

    private static string RunOnce(BufferChecks checks, Action<Subject> call, int slack, ref int refused)
    {
        LimitedMemory memory = new(long.MaxValue);
        Subject subject = new(memory, checks);
        Exception? thrown = null;
        if (slack >= 0)
        {
            FullManagedHeap.Fill(slack);
        }

        try
        {
            call(subject);
        }
        catch (OutOfMemoryException)
        {
            refused++;
        }
#pragma warning disable CA1031 // any other exception is the finding
        catch (Exception e)
#pragma warning restore CA1031
        {
            thrown = e;
        }

        FullManagedHeap.Empty();
        string? fault = thrown?.ToString() ?? subject.Verify() ?? (memory.Reserved == 0 ? null : $"{memory.Reserved} bytes stay reserved");
        return fault is null ? "held" : $"with {slack} bytes left: {fault}".ReplaceLineEndings(" ");
    }

    /// <summary>A heap with something in every tier, and a large buffer in use.</summary>
    private sealed class Subject
    {
        private const int Blocks = 40;

        private readonly nint[] _allocated = new nint[Blocks];
        private nint _block;
        private nuint _size = Size;
        private nuint _allocatedSize;

        internal Subject(LimitedMemory memory, BufferChecks checks)
        {
            Heap = new NativeHeap(new NativeHeapOptions
            {
                Checks = checks,
                Memory = memory,
                IdleTimeout = TimeSpan.FromHours(1),
                Clock = StoppedTime.CreateClock(),
            });
            Thread other = new(Use);
            other.Start();
            other.Join();
            Use();
            _block = (nint)Heap.Allocate(Size);
            *(long*)_block = _block;
        }

        internal NativeHeap Heap { get; }

        internal void Reallocate(nuint size)
        {
            long stamp = *(long*)_block;
            _block = (nint)Heap.Reallocate((void*)_block, _size, size);
            _size = size;
            Require(*(long*)_block == stamp, "a buffer lost its contents");
        }

        internal void Allocate(nuint size)
        {
            _allocatedSize = size;
            for (int i = 0; i < Blocks; i++)
            {
                _allocated[i] = (nint)Heap.Allocate(size);
            }
        }

        /// <summary>Verifies and ends the heap. Returns what is wrong, or null.</summary>
        internal string? Verify()
        {
            string? fault = null;
            Thread end = new(() => fault = End()) { IsBackground = true };
            end.Start();
            return end.Join(s_limit) ? fault : "the end of the heap does not end";
        }

        private string? End()
        {
            try
            {
                if (!Heap.IsDisposed)
                {
                    HeapThreads.ReleaseInherited();
                    Heap.Validate();
                    long expected = 1 + _allocated.Count(static block => block != 0);
                    Require(Heap.GetStatistics().InUseBlocks == expected, $"{Heap.GetStatistics()}, not {expected} blocks");
                    Heap.Free((void*)_block, _size);
                    Array.ForEach(_allocated, block => Heap.Free((void*)block, _allocatedSize));
                    Heap.Validate();
                }

                Heap.Dispose();
                return null;
            }
            catch (InvalidOperationException e)
            {
                return e.ToString();
            }
        }

        [MethodImpl(MethodImplOptions.NoInlining)]
        private void Use()
        {
            foreach (nuint size in (nuint[])[16, 1000, 20_000, Size, 1 << 20])
            {
                nint[] blocks = [.. Enumerable.Range(0, size > 100_000 ? 3 : 60).Select(_ => (nint)Heap.Allocate(size))];
                Array.ForEach(blocks, block => Heap.Free((void*)block, size));
            }
        }

        private static void Require(bool holds, string what)
        {
            if (!holds)
            {
                throw new InvalidOperationException(what);
            }
        }
    }
}
