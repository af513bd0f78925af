using System.Buffers;

namespace Tarn.TestChild.Owners;

/// <summary>Builders of sequences, and the sequences that were detached from builders and streams.</summary>
internal static class SequenceOwners
{
    internal static RacedOwner[] All { get; } =
    [
        new("sequence builder", static (memory, random) => Fill(new SequenceBuilder<byte>(memory.Pool), memory, random), Members()),
        new(
            "sequence builder with a budget",
            static (memory, random) => Fill(new SequenceBuilder<byte>(memory.Pool, memory.Budget), memory, random),
            Members()),
        new("sequence of a builder", DetachFromBuilder, SequenceMembers()),
        new("sequence of a stream", DetachFromStream, SequenceMembers()),
        new("stream with a budget", static (memory, random) => FillStream(memory, random), StreamMembers()),
    ];

    private static OwnerMember[] Members() =>
    [
        Of("GetSpan, Advance", static (builder, _) => { Limit(builder); builder.GetSpan(9); builder.Advance(3); }),
        Of("GetMemory, Advance", static (builder, _) => { Limit(builder); builder.GetMemory(3000); builder.Advance(3000); }),
        Of("GetMemory in vain", static (builder, _) =>
        {
            for (int i = 100; i < 3000; i += 300)
            {
                builder.GetMemory(i);
            }

            builder.Clear();
        }),
        Of("Write", static (builder, _) => { Limit(builder); builder.Write(OwnerMemory.Bytes); }),
        Of("Write much", static (builder, _) => { Limit(builder); builder.Write(OwnerMemory.ManyBytes); }),
        Of("Append owner", static (builder, memory) => { Limit(builder); Append(builder, memory.Pool.LeaseMemory(100)); }),
        Of("Append empty owner", static (builder, memory) => { Append(builder, memory.Pool.LeaseMemory(0)); }),
        Of("Append slice", static (builder, memory) =>
        {
            Limit(builder);
            using CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(memory.Pool, 100);
            AppendSlice(builder, buffer.Slice(10));
        }),
        Of("AppendReference, Write", static (builder, _) =>
        {
            Limit(builder);
            builder.Write(OwnerMemory.Bytes.AsSpan(0, 2));
            builder.AppendReference(OwnerMemory.Bytes);
        }),
        Of("Slice", static (builder, _) => VerifySlice(builder.Slice, builder.Length, 50)),
        Of("Slice of all", static (builder, _) => VerifySlice(builder.Slice, builder.Length, int.MaxValue)),
        Of("AdvanceTo", static (builder, _) =>
        {
            builder.Write(OwnerMemory.Bytes);
            builder.AdvanceTo(builder.Sequence.GetPosition(Math.Min(200, builder.Length)));
        }),
        Of("AdvanceTo the end", static (builder, _) =>
        {
            builder.GetMemory(700);
            builder.AdvanceTo(builder.Sequence.End);
            builder.Write(OwnerMemory.Bytes);
        }),
        Of("Clear", static (builder, _) => { builder.Write(OwnerMemory.Bytes); builder.Clear(); }),
        Of("Detach", static (builder, _) =>
        {
            builder.Write(OwnerMemory.Bytes);
            builder.GetMemory(1000);
            using OwnedSequence<byte> owned = builder.Detach();
            VerifySequence(owned.Sequence);
        }),
        Of("Length", static (builder, memory) => _ = builder.Length),
        Of("Sequence", static (builder, memory) => _ = builder.Sequence),
        Of("Dispose", static (builder, _) => builder.Dispose(), outlives: true),
    ];

    private static OwnerMember[] SequenceMembers() =>
    [
        OfSequence("Sequence", static owned => _ = owned.Sequence),
        OfSequence("Length", static owned => _ = owned.Length, outlives: true),
        OfSequence("Slice", static owned => VerifySlice(owned.Slice, owned.Length, 50)),
        OfSequence("Slice of all", static owned => VerifySlice(owned.Slice, owned.Length, int.MaxValue)),
        OfSequence("Dispose", static owned => owned.Dispose(), outlives: true),
    ];

    private static OwnerMember[] StreamMembers() =>
    [
        OfStream("Write", static stream => { stream.SetLength(Math.Min(stream.Length, 100_000)); stream.Write(OwnerMemory.ManyBytes); }),
        OfStream("GetMemory in vain", static stream => { stream.GetMemory(5000); stream.SetLength(0); stream.GetMemory(100); }),
        OfStream("GetMemory inside, Advance", static stream =>
        {
            stream.Position = Math.Min(10, stream.Length);
            stream.GetMemory(600);
            stream.Advance(0);
        }),
        OfStream("Detach", static stream =>
        {
            stream.Write(OwnerMemory.ManyBytes);
            using OwnedSequence<byte> owned = stream.Detach();
            VerifySequence(owned.Sequence);
        }),
        OfStream("DetachSlice", static stream =>
        {
            stream.Write(OwnerMemory.ManyBytes);
            using CountedSlice<byte> slice = stream.DetachSlice();
            OwnerMemory.Verify(slice.Span);
        }),
        OfStream("Capacity", static stream => { stream.SetLength(0); stream.Capacity = 0; stream.Capacity = 9000; }),
        OfStream("GetBuffer", static stream => { stream.SetLength(0); stream.Write(OwnerMemory.ManyBytes); stream.GetBuffer(); }),
        OfStream("Dispose", static stream => stream.Dispose(), outlives: true),
    ];

    private static OwnerMember Of(string name, Action<SequenceBuilder<byte>, OwnerMemory> call, bool outlives = false) =>
        OwnerMember.Of(name, call, outlives);

    private static OwnerMember OfSequence(string name, Action<OwnedSequence<byte>> call, bool outlives = false) =>
        OwnerMember.Of<OwnedSequence<byte>>(name, (owned, _) => call(owned), outlives);

    private static OwnerMember OfStream(string name, Action<PooledMemoryStream> call, bool outlives = false) =>
        OwnerMember.Of<PooledMemoryStream>(name, (stream, _) => call(stream), outlives);

    private static OwnedSequence<byte> DetachFromBuilder(OwnerMemory memory, Random random)
    {
        using SequenceBuilder<byte> builder = Fill(new SequenceBuilder<byte>(memory.Pool), memory, random);
        return builder.Detach();
    }

    private static OwnedSequence<byte> DetachFromStream(OwnerMemory memory, Random random)
    {
        using PooledMemoryStream stream = FillStream(memory, random);
        return stream.Detach();
    }

    private static PooledMemoryStream FillStream(OwnerMemory memory, Random random)
    {
        PooledMemoryStream stream = new(new PooledMemoryStreamOptions { Pool = memory.Pool, Budget = memory.Budget });
        for (int i = random.Next(4); i > 0; i--)
        {
            stream.Write(OwnerMemory.ManyBytes.AsSpan(0, random.Next(6000)));
        }

        return stream;
    }

    private static SequenceBuilder<byte> Fill(SequenceBuilder<byte> builder, OwnerMemory memory, Random random)
    {
        for (int i = random.Next(4); i > 0; i--)
        {
            builder.Write(OwnerMemory.ManyBytes.AsSpan(0, random.Next(2000)));
            IMemoryOwner<byte> owner = memory.Pool.LeaseMemory(random.Next(30));
            owner.Memory.Span.Fill(OwnerMemory.Own);
            builder.Append(owner);
        }

        return builder;
    }

    private static void Append(SequenceBuilder<byte> builder, IMemoryOwner<byte> owner)
    {
        try
        {
            builder.Append(owner);
        }
        catch
        {
            owner.Dispose();
            throw;
        }
    }

    private static void AppendSlice(SequenceBuilder<byte> builder, CountedSlice<byte> slice)
    {
        try
        {
            builder.Append(slice);
        }
        catch
        {
            slice.Dispose();
            throw;
        }
    }

    private static void VerifySlice(Func<long, int, CountedSlice<byte>> take, long length, int most)
    {
        using CountedSlice<byte> slice = take(0, (int)Math.Min(length, most));
        OwnerMemory.Verify(slice.Span);
    }

    private static void VerifySequence(in ReadOnlySequence<byte> sequence)
    {
        foreach (ReadOnlyMemory<byte> segment in sequence)
        {
            OwnerMemory.Verify(segment.Span);
        }
    }

    private static void Limit(SequenceBuilder<byte> builder)
    {
        if (builder.Length > 200_000)
        {
            builder.Clear();
        }
    }
}
