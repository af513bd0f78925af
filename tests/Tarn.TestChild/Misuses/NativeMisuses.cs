using System.Runtime.CompilerServices;

namespace Tarn.TestChild.Misuses;

/// <summary>Ways to misuse a native heap.</summary>
internal static unsafe class NativeMisuses
{
    /// <summary>A block size, so that the memory after a block belongs to another block.</summary>
    private const int Size = 64;

    private static readonly Dictionary<string, Action<MisuseTrial, NativeHeap>> s_kinds = new()
    {
        ["second free"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            heap.Free(block, Size);
            trial.Commit(() => heap.Free(block, Size));
        },
        ["second free, by the address alone"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            heap.Free(block);
            trial.Commit(() => heap.Free(block));
        },
        ["free of an address inside a block"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            trial.Commit(() => heap.Free(block + 8, Size));
        },
        ["free of an address on the stack"] = static (trial, heap) =>
        {
            long local = 0;
            byte* address = (byte*)&local;
            trial.Commit(() => heap.Free(address, Size));
        },
        ["free of an address on the stack, by the address alone"] = static (trial, heap) =>
        {
            long local = 0;
            byte* address = (byte*)&local;
            trial.Commit(() => heap.Free(address));
        },
        ["free of memory of `NativeMemory`"] = static (trial, heap) =>
        {
            byte* memory = (byte*)System.Runtime.InteropServices.NativeMemory.Alloc(Size);
            trial.Commit(() => heap.Free(memory, Size));
        },
        ["free to another heap"] = static (trial, heap) =>
        {
            byte* block = Allocate(NativeHeap.Shared);
            trial.Commit(() => heap.Free(block, Size));
        },
        ["free with another size"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            trial.Commit(() => heap.Free(block, Size / 2));
        },
        ["write behind a block"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            trial.Commit(() => block[Size] = 1);
            heap.Free(block, Size);
        },
        ["write before a block"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            trial.Commit(() => block[-1] = 1);
            heap.Free(block, Size);
        },
        ["read behind a block"] = static (trial, heap) =>
        {
            // One byte of a redzone may be the poison byte by chance.
            byte* block = Allocate(heap);
            trial.Commit(() => trial.NoteReads(new ReadOnlySpan<byte>(block + Size, 8)));
            heap.Free(block, Size);
        },
        ["write after free"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            heap.Free(block, Size);
            trial.Commit(() => block[3] = 1);
        },
        ["read after free"] = static (trial, heap) =>
        {
            byte* block = Allocate(heap);
            heap.Free(block, Size);
            trial.Commit(() => trial.NoteRead(block[3]));
        },
        ["block never freed"] = static (trial, heap) => trial.Commit(() => Allocate(heap)),
        ["`NativeBuffer<T>` dropped without `Dispose`"] = static (trial, heap) =>
            trial.Commit(() => heap.AllocateBuffer<byte>(Size).Memory.Span[0] = 1),
        ["use of `NativeBuffer<T>` after `Dispose`"] = static (trial, heap) =>
        {
            NativeBuffer<byte> buffer = heap.AllocateBuffer<byte>(Size);
            buffer.Dispose();
            trial.Commit(() => trial.NoteRead(buffer.Memory.Span[0]));
        },
    };

    internal static IEnumerable<string> Kinds => s_kinds.Keys;

    internal static string Commit(string kind, BufferChecks checks, int times)
    {
        using MisuseTrial trial = new($"misused: {kind}", checks);

        // A clock tick parks the magazines, and a free without one looks closer than most do. The shared clock ticks after collections too.
        NativeHeapOptions options = new() { Name = trial.Name, Checks = checks, Clock = StoppedTime.CreateClock() };
        using (NativeHeap heap = new(options))
        {
            CommitAll(trial, heap, s_kinds[kind], times);
            MisuseTrial.LookAgain();
            heap.Trim();
        }

        MisuseTrial.LookAgain();
        return trial.Describe();
    }

    /// <summary>A separate method, so that no local here keeps the garbage reachable.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private static void CommitAll(MisuseTrial trial, NativeHeap heap, Action<MisuseTrial, NativeHeap> misuse, int times)
    {
        MakeRoom(heap, Size);
        MakeRoom(heap, Size / 2);
        for (int i = 0; i < times; i++)
        {
            misuse(trial, heap);
        }
    }

    /// <summary>Gives the thread's magazine room, as any program does: one without room takes the slow path, which looks closer.</summary>
    private static void MakeRoom(NativeHeap heap, nuint size)
    {
        nint[] blocks = new nint[100];
        foreach (ref nint block in blocks.AsSpan())
        {
            block = (nint)heap.Allocate(size);
        }

        foreach (nint block in blocks)
        {
            heap.Free((void*)block, size);
        }
    }

    /// <summary>A block with others of its heap on both sides, so that a write outside it without checks hits no unmapped page.</summary>
    private static byte* Allocate(NativeHeap heap)
    {
        if (heap.IsChecked)
        {
            return Fill((byte*)heap.Allocate(Size));
        }

        nint[] blocks = new nint[9];
        for (int i = 0; i < blocks.Length; i++)
        {
            blocks[i] = (nint)heap.Allocate(Size);
        }

        Array.Sort(blocks);
        for (int i = 0; i < blocks.Length; i++)
        {
            if (i != blocks.Length / 2)
            {
                heap.Free((void*)blocks[i], Size);
            }
        }

        return Fill((byte*)blocks[blocks.Length / 2]);
    }

    private static byte* Fill(byte* block)
    {
        new Span<byte>(block, Size).Fill(1);
        return block;
    }
}
