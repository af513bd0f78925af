namespace Tarn.TestChild.Owners;

/// <summary>Holders of counted buffers. A second disposal of one throws, so that each is in an owner that expects this.</summary>
internal static class SharedOwners
{
    internal static RacedOwner[] All { get; } =
    [
        new("counted buffer", static (memory, _) => new HeldBuffer(Rent(memory)), BufferMembers()),
        new("shared slice", static (memory, _) => new HeldSlice(memory), SliceMembers()),
    ];

    private static OwnerMember[] BufferMembers() =>
    [
        OfBuffer("Span", static buffer => _ = buffer.Span),
        OfBuffer("Memory", static buffer => _ = buffer.Memory),
        OfBuffer("HolderCount", static buffer => _ = buffer.HolderCount),
        OfBuffer("Length", static buffer => _ = buffer.Length, outlives: true),
        OfBuffer("Slice", static buffer => Verify(buffer.Slice())),
        OfBuffer("Slice from", static buffer => Verify(buffer.Slice(3))),
        OfBuffer("Slice of a part", static buffer => Verify(buffer.Slice(3, 90))),
        OfBuffer("Equals", static buffer => _ = buffer == default || buffer.GetHashCode() == 0, outlives: true),
        OfBuffer("Dispose", static buffer => buffer.Dispose()),
    ];

    private static OwnerMember[] SliceMembers() =>
    [
        OfSlice("Span", static slice => _ = slice.Span),
        OfSlice("Memory", static slice => _ = slice.Memory),
        OfSlice("Length", static slice => _ = slice.Length, outlives: true),
        OfSlice("Slice", static slice => Verify(slice.Slice())),
        OfSlice("Slice of a part", static slice => Verify(slice.Slice(1, 9))),
        OfSlice("many slices", static slice =>
        {
            CountedSlice<byte>[] taken = [slice.Slice(), default, default, default, default, default, default, default, default, default];
            try
            {
                for (int i = 1; i < taken.Length; i++)
                {
                    taken[i] = slice.Slice();
                }
            }
            finally
            {
                Array.ForEach(taken, static one => { if (one.Length > 0) { one.Dispose(); } });
            }
        }),
        OfSlice("Dispose", static slice => slice.Dispose()),
        OwnerMember.Of<HeldSlice>("Append to a builder", static (held, memory) =>
        {
            using SequenceBuilder<byte> builder = new(memory.Pool);
            builder.Append(held.Slice);
            OwnerMemory.Verify(builder.Sequence.FirstSpan);
        }),
    ];

    private static OwnerMember OfBuffer(string name, Action<CountedBuffer<byte>> call, bool outlives = false) =>
        OwnerMember.Of<HeldBuffer>(name, (held, _) => call(held.Buffer), outlives);

    private static OwnerMember OfSlice(string name, Action<CountedSlice<byte>> call, bool outlives = false) =>
        OwnerMember.Of<HeldSlice>(name, (held, _) => call(held.Slice), outlives);

    private static CountedBuffer<byte> Rent(OwnerMemory memory)
    {
        CountedBuffer<byte> buffer = CountedBuffer<byte>.Rent(memory.Pool, 100);
        buffer.Span.Fill(OwnerMemory.Own);
        return buffer;
    }

    private static void Verify(CountedSlice<byte> taken)
    {
        using CountedSlice<byte> slice = taken;
        OwnerMemory.Verify(slice.Span);
    }

    private static void DisposeOnce(IDisposable holder)
    {
        try
        {
            holder.Dispose();
        }
        catch (ObjectDisposedException)
        {
        }
    }

    private sealed class HeldBuffer(CountedBuffer<byte> buffer) : IDisposable
    {
        internal CountedBuffer<byte> Buffer => buffer;

        public void Dispose() => DisposeOnce(buffer);
    }

    private sealed class HeldSlice : IDisposable
    {
        internal HeldSlice(OwnerMemory memory)
        {
            using CountedBuffer<byte> buffer = Rent(memory);
            Slice = buffer.Slice(10, 50);
        }

        internal CountedSlice<byte> Slice { get; }

        public void Dispose() => DisposeOnce(Slice);
    }
}
