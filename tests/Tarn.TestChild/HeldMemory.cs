using System.Diagnostics.Tracing;
using System.Globalization;
using System.IO.MemoryMappedFiles;
using System.Reflection.Emit;
using System.Runtime.InteropServices;
using Tarn.SharedMemory;

namespace Tarn.TestChild;

/// <summary>
/// A program that holds known amounts of memory of each kind, for tools that tell whose memory is whose. Each line of its input names one,
/// and it answers with the bytes that it holds of it from then on. It ends with its input.
/// </summary>
internal static unsafe partial class HeldMemory
{
    private const int Megabyte = 1 << 20;
    private const int Much = 64;
    private const int Threads = 64;
    private const int ManyThreads = 500;
    private const int StackBytes = 512 << 10;
    private const int Methods = 10_000;
    private const int Steps = 150;
    private const int Moved = 127;

    private static readonly List<object> s_held = [];
    private static readonly ManualResetEventSlim s_end = new();

    private static readonly Dictionary<string, Func<long>> s_kinds = new()
    {
        ["arenas"] = HoldArenas,
        ["blocks"] = HoldBlocks,
        ["large objects"] = HoldLargeObjects,
        ["code"] = HoldCode,
        ["stacks"] = HoldStacks,
        ["file"] = HoldFile,
        ["mapping"] = HoldMapping,
        ["heap"] = HoldHeap,
        ["region"] = HoldRegion,
    };

    public static void Run(string[] arguments)
    {
        Console.WriteLine("ready");
        while (Console.ReadLine() is { } kind)
        {
            Console.WriteLine(s_kinds[kind]().ToString(CultureInfo.InvariantCulture));
        }

        s_end.Set();
    }

    /// <summary>Small blocks of <c>malloc</c> on many threads, none of which comes from the main heap.</summary>
    private static long HoldArenas() => HoldOn(Threads, 16 << 10);

    /// <summary>Smaller blocks of <c>malloc</c> on one thread, of which no allocator has more than they are.</summary>
    private static long HoldBlocks() => HoldOn(1, 1 << 10);

    private static long HoldOn(int threads, int size)
    {
        RunOn(threads, () =>
        {
            for (int left = Much * Megabyte / threads; left > 0; left -= size)
            {
                Fill((byte*)NativeMemory.Alloc((nuint)size), size);
            }
        });
        return (long)Much * Megabyte;
    }

    /// <summary>Arrays of a megabyte with holes of a megabyte between them. Returns the holes.</summary>
    private static long HoldLargeObjects()
    {
        List<byte[]> all = [.. Enumerable.Range(0, 2 * Much).Select(_ => new byte[Megabyte])];
        all.ForEach(array => Array.Fill(array, (byte)1));
        s_held.Add(all.Where((_, index) => index % 2 == 0).ToArray());
        all.Clear();
        GC.Collect(GC.MaxGeneration, GCCollectionMode.Forced, blocking: true, compacting: false);
        return (long)Much * Megabyte;
    }

    /// <summary>Methods that are made at run time. Returns the bytes of their code, as the runtime reports them.</summary>
    private static long HoldCode()
    {
        using var sizes = new CodeSizes();
        byte* bytes = stackalloc byte[Moved];
        Fill(bytes, Moved);
        for (int index = 0; index < Methods; index++)
        {
            var method = new DynamicMethod($"Made{index}", typeof(void), [typeof(nint), typeof(nint)]);
            ILGenerator code = method.GetILGenerator();
            for (int step = 0; step < Steps; step++)
            {
                // Little work for the compiler, and much code: it unrolls the copy.
                code.Emit(OpCodes.Ldarg_0);
                code.Emit(OpCodes.Ldarg_1);
                code.Emit(OpCodes.Ldc_I4, Moved);
                code.Emit(OpCodes.Cpblk);
            }

            code.Emit(OpCodes.Ret);
            Action<nint, nint> made = method.CreateDelegate<Action<nint, nint>>();
            made((nint)bytes, (nint)bytes);
            s_held.Add(made);
        }

        return sizes.Bytes;
    }

    /// <summary>Threads that have used a part of their stacks.</summary>
    private static long HoldStacks()
    {
        using CountdownEvent used = new(ManyThreads);
        for (int index = 0; index < ManyThreads; index++)
        {
            new Thread(() => UseStack(used)) { IsBackground = true }.Start();
        }

        used.Wait();
        return (long)ManyThreads * StackBytes;
    }

    private static void UseStack(CountdownEvent used)
    {
        byte* bytes = stackalloc byte[StackBytes];
        Fill(bytes, StackBytes);
        used.Signal();
        s_end.Wait();
        Fill(bytes, StackBytes);
    }

    private static long HoldFile()
    {
        string path = Path.GetTempFileName();
        File.WriteAllBytes(path, new byte[Much * Megabyte]);
        var file = MemoryMappedFile.CreateFromFile(path, FileMode.Open);
        MemoryMappedViewAccessor view = file.CreateViewAccessor();
        byte* bytes = null;
        view.SafeMemoryMappedViewHandle.AcquirePointer(ref bytes);
        Fill(bytes, Much * Megabyte);
        s_held.AddRange([file, view]);
        File.Delete(path);
        return (long)Much * Megabyte;
    }

    /// <summary>What a library maps for itself.</summary>
    private static long HoldMapping()
    {
        const int ReadWrite = 3;
        const int PrivateAnonymous = 0x22;
        byte* bytes = Map(null, Much * Megabyte, ReadWrite, PrivateAnonymous, -1, 0);
        Fill(bytes, Much * Megabyte);
        return (long)Much * Megabyte;
    }

    private static long HoldHeap()
    {
        NativeHeap heap = new(new NativeHeapOptions { Name = "held heap", Checks = BufferChecks.None });
        for (int index = 0; index < Much * Megabyte / 4_096; index++)
        {
            Fill((byte*)heap.Allocate(4_096), 4_096);
        }

        s_held.Add(heap);
        return (long)Much * Megabyte;
    }

    private static long HoldRegion()
    {
        SharedRegion region = SharedRegion.Create($"held-{Environment.ProcessId}", Much * Megabyte);
        region.GetSpan(0, Much * Megabyte).Fill(1);
        s_held.Add(region);
        return (long)Much * Megabyte;
    }

    private static void RunOn(int count, Action work)
    {
        // All at once, because threads that come one after another share an arena.
        using Barrier all = new(count);
        Thread[] threads =
        [
            .. Enumerable.Range(0, count).Select(_ => new Thread(() =>
            {
                all.SignalAndWait();
                work();
                all.SignalAndWait();
            })),
        ];
        Array.ForEach(threads, thread => thread.Start());
        Array.ForEach(threads, thread => thread.Join());
    }

    private static void Fill(byte* bytes, int count) => new Span<byte>(bytes, count).Fill(1);

    [LibraryImport("libc", EntryPoint = "mmap")]
    private static partial byte* Map(void* address, nint size, int access, int flags, int file, nint offset);

    /// <summary>Adds up the code of the methods that are compiled while it listens.</summary>
    private sealed class CodeSizes : EventListener
    {
        private const EventKeywords Methods = (EventKeywords)0x10;

        private long _bytes;

        public long Bytes => Interlocked.Read(ref _bytes);

        protected override void OnEventSourceCreated(EventSource eventSource)
        {
            if (eventSource.Name == "Microsoft-Windows-DotNETRuntime")
            {
                EnableEvents(eventSource, EventLevel.Verbose, Methods);
            }
        }

        protected override void OnEventWritten(EventWrittenEventArgs eventData)
        {
            if (eventData.EventName?.StartsWith("MethodLoadVerbose", StringComparison.Ordinal) == true
                && eventData.PayloadNames?.IndexOf("MethodSize") is >= 0 and int at)
            {
                _ = Interlocked.Add(ref _bytes, Convert.ToInt64(eventData.Payload![at], CultureInfo.InvariantCulture));
            }
        }
    }
}
