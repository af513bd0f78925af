using System.Buffers;

namespace Tarn.TestChild.Owners;

/// <summary>Writers with contiguous contents, over a pool and in native memory.</summary>
internal static class WriterOwners
{
    private const int Much = 100_000;

    internal static RacedOwner[] All { get; } =
    [
        new("pooled writer", static (memory, random) => Fill(new PooledWriter<byte>(memory.Pool, random.Next(2) * 16), random), Members()),
        new("pooled writer of few", static (memory, _) => new PooledWriter<byte>(memory.Pool, capacity: 0, maxCount: 200), FewMembers()),
        new(
            "pooled writer with a budget",
            static (memory, random) => Fill(new PooledWriter<byte>(memory.Pool, random.Next(2) * 16, budget: memory.Budget), random),
            Members()),
        new(
            "native writer with a budget",
            static (memory, random) => Fill(new PooledWriter<byte>(memory.Heap, random.Next(2) * 16, budget: memory.Budget), random),
            Members()),
        new("native writer", static (memory, random) => Fill(new PooledWriter<byte>(memory.Heap, random.Next(2) * 16), random), Members()),
        new("pinned native writer", static (memory, random) => new PinnedWriter(memory, random), PinnedMembers()),
        new("detached buffer", static (memory, random) => Detach(new PooledWriter<byte>(memory.Pool), random), LeaseOwners.Members()),
        new(
            "detached native buffer",
            static (memory, random) => Detach(new PooledWriter<byte>(memory.Heap), random),
            LeaseOwners.Members()),
    ];

    private static OwnerMember[] Members() =>
    [
        Of("GetSpan, Advance", static writer => { Limit(writer); writer.GetSpan(9); writer.Advance(0); }),
        Of("GetSpan that grows", static writer => { LimitCapacity(writer); writer.GetSpan(writer.Capacity - writer.WrittenCount + 1); }),
        Of("GetMemory, Advance", static writer => { Limit(writer); writer.GetMemory(); writer.Advance(1); }),
        Of("GetMemory that grows", static writer => { LimitCapacity(writer); writer.GetMemory(writer.Capacity + 1); }),
        Of("Write", static writer => { Limit(writer); writer.Write(OwnerMemory.Own); }),
        Of("Write span", static writer => { Limit(writer); writer.Write(OwnerMemory.Bytes); }),
        Of("Write that grows", static writer =>
        {
            LimitCapacity(writer);
            int more = writer.Capacity - writer.WrittenCount + 1;
            writer.Write(OwnerMemory.ManyBytes.AsSpan(0, Math.Min(more, OwnerMemory.ManyBytes.Length)));
        }),
        Of("Write of bytes one by one, from nothing", static writer =>
        {
            writer.Detach().Dispose();
            for (int i = 0; i < 600; i++)
            {
                writer.Write(OwnerMemory.Own);
            }
        }),
        Of("Reserve", static writer => { LimitCapacity(writer); _ = writer.Reserve(100).Length; }),
        Of("Reserve that grows", static writer => { LimitCapacity(writer); _ = writer.Reserve(writer.Capacity + 1).Length; }),
        Of("a reservation's Span", static writer => { Limit(writer); _ = writer.Reserve(2).Span; }),
        Of("WrittenCount", static writer => _ = writer.WrittenCount),
        Of("Capacity", static writer => _ = writer.Capacity),
        Of("WrittenSpan", static writer => _ = writer.WrittenSpan),
        Of("WrittenMemory", static writer => _ = writer.WrittenMemory),
        Of("Clear", static writer => writer.Clear()),
        Of("Detach", static writer =>
        {
            writer.Write(OwnerMemory.Bytes);
            using IMemoryOwner<byte> owner = writer.Detach();
            OwnerMemory.Verify(owner.Memory.Span);
        }),
        Of("MaxCount", static writer => _ = writer.MaxCount, outlives: true),
        Of("Dispose", static writer => writer.Dispose(), outlives: true),
    ];

    private static OwnerMember[] FewMembers() =>
    [
        Of("GetSpan of more than the maximum", static writer => { writer.GetSpan(5000); writer.Advance(0); writer.Detach().Dispose(); }),
        Of("refused calls", static writer =>
        {
            Refused(() => writer.Write(OwnerMemory.Bytes));
            Refused(() => writer.Reserve(201));
            writer.GetSpan(300);
            Refused(() => writer.Advance(201));
            writer.Write(OwnerMemory.Bytes.AsSpan(0, 100));
            using IMemoryOwner<byte> owner = writer.Detach();
            OwnerMemory.Verify(owner.Memory.Span);
        }),
    ];

    /// <summary>A pin makes growth move the contents to another buffer.</summary>
    private static OwnerMember[] PinnedMembers() =>
    [
        OwnerMember.Of<PinnedWriter>("Write that grows", static (pinned, _) =>
        {
            using MemoryHandle pin = pinned.Writer.WrittenMemory.Pin();
            pinned.Writer.Write(OwnerMemory.ManyBytes.AsSpan(0, Math.Min(pinned.Writer.Capacity + 1, 20_000)));
            using IMemoryOwner<byte> owner = pinned.Writer.Detach();
            using MemoryHandle kept = owner.Memory.Pin();
            OwnerMemory.Verify(owner.Memory.Span);
        }),
        OwnerMember.Of<PinnedWriter>("WrittenMemory, Pin", static (pinned, _) =>
        {
            ReadOnlyMemory<byte> written = pinned.Writer.WrittenMemory;
            using MemoryHandle pin = written.Pin();
            unsafe
            {
                OwnerMemory.Verify(new ReadOnlySpan<byte>(pin.Pointer, written.Length));
            }
        }),
    ];

    private static OwnerMember Of(string name, Action<PooledWriter<byte>> call, bool outlives = false) =>
        OwnerMember.Of<PooledWriter<byte>>(name, (writer, _) => call(writer), outlives);

    private static PooledWriter<byte> Fill(PooledWriter<byte> writer, Random random)
    {
        writer.Write(OwnerMemory.ManyBytes.AsSpan(0, random.Next(3) switch { 0 => 0, 1 => 100, _ => 5000 }));
        return writer;
    }

    private static IMemoryOwner<byte> Detach(PooledWriter<byte> writer, Random random)
    {
        using (Fill(writer, random))
        {
            return writer.Detach();
        }
    }

    private static void Refused(Action call)
    {
        try
        {
            call();
            throw new InvalidDataException("A writer took more than its maximum.");
        }
        catch (InvalidOperationException e) when (e is not ObjectDisposedException)
        {
        }
    }

    private static void Limit(PooledWriter<byte> writer)
    {
        if (writer.WrittenCount > Much)
        {
            writer.Clear();
        }
    }

    private static void LimitCapacity(PooledWriter<byte> writer)
    {
        if (writer.Capacity > Much)
        {
            writer.Detach().Dispose();
        }
    }

    private sealed class PinnedWriter : IDisposable
    {
        internal PinnedWriter(OwnerMemory memory, Random random) => Writer = Fill(new PooledWriter<byte>(memory.Heap, 20), random);

        internal PooledWriter<byte> Writer { get; }

        public void Dispose() => Writer.Dispose();
    }
}
