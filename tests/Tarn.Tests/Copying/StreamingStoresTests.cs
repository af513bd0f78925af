using System.Runtime.InteropServices;
using System.Runtime.Intrinsics.X86;

namespace Tarn.Tests.Copying;

/// <summary>Copies and clears past the caches, of any length: short ones are what the ends of long ones are.</summary>
public sealed unsafe class StreamingStoresTests
{
    private const int Line = 64;
    private const int Longest = 6 * Line;

    [SkippableFact]
    public void Every_byte_arrives_from_every_place_at_every_place()
    {
        Skip.IfNot(Avx.IsSupported, "this processor has no such stores");
        byte[] original = BufferCopyTests.Bytes(Longest + Line);
        byte* memory = (byte*)NativeMemory.AlignedAlloc(Longest + (3 * Line), Line);
        Span<byte> around = new(memory, Longest + (3 * Line));
        fixed (byte* source = original)
        {
            for (int to = 0; to < Line; to++)
            {
                int from = (to * 7) % Line;
                for (int length = 0; length <= Longest; length++)
                {
                    around.Fill(0xEE);
                    StreamingStores.Copy(source + from, memory + Line + to, (nuint)length);
                    AssertOnly(around, Line + to, original.AsSpan(from, length), $"{length} bytes from {from} to {to}");
                    around.Fill(0xEE);
                    StreamingStores.Clear(memory + Line + to, (nuint)length);
                    AssertOnly(around, Line + to, new byte[length], $"{length} zeros to {to}");
                }
            }
        }

        NativeMemory.AlignedFree(memory);
    }

    /// <summary>The sizes at which the public members change over, and a destination that begins in a cache line.</summary>
    [SkippableTheory]
    [InlineData(-1)]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(4099)]
    public void The_public_members_copy_and_clear_around_the_size_at_which_they_change_over(int beyond)
    {
        Skip.IfNot(Avx.IsSupported, "this processor has no such stores");
        int length = (int)StreamingStores.LeastBytes + beyond;
        byte[] source = BufferCopyTests.Bytes(length);
        byte[] target = new byte[length + 20];
        BufferCopy.Copy(source, target.AsSpan(9));
        AssertOnly(target, 9, source, "copied", rest: 0);
        BufferCopy.Clear(target.AsSpan(10, length - 1));
        AssertOnly(target, 9, source.AsSpan(0, 1), "cleared", rest: 0);
        fixed (byte* from = source, to = target)
        {
            BufferCopy.Copy(from, to + 3, (nuint)length);
            AssertOnly(target, 3, source, "copied by address", rest: 0);
            BufferCopy.Clear(to, (nuint)target.Length);
        }

        Assert.False(target.AsSpan().ContainsAnyExcept((byte)0));
    }

    [SkippableTheory]
    [InlineData(1)]
    [InlineData(-1)]
    [InlineData(4096)]
    [InlineData(-4096)]
    public void Long_ranges_that_overlap_are_copied_as_if_through_another(int distance)
    {
        Skip.IfNot(Avx.IsSupported, "this processor has no such stores");
        int length = (int)StreamingStores.LeastBytes + 5;
        byte[] bytes = BufferCopyTests.Bytes(length + 8192);
        byte[] expected = bytes.AsSpan(4096, length).ToArray();
        BufferCopy.Copy(bytes.AsSpan(4096, length), bytes.AsSpan(4096 + distance, length));
        Assert.True(bytes.AsSpan(4096 + distance, length).SequenceEqual(expected));
    }

    [SkippableFact]
    public void A_long_destination_too_short_is_refused_and_untouched()
    {
        Skip.IfNot(Avx.IsSupported, "this processor has no such stores");
        byte[] source = new byte[(int)StreamingStores.LeastBytes + 1];
        source.AsSpan().Fill(1);
        byte[] destination = new byte[source.Length - 1];
        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => BufferCopy.Copy(source, destination)).ParamName);
        Assert.False(destination.AsSpan().ContainsAnyExcept((byte)0));
    }

    [Fact]
    public void Null_cannot_be_cleared_unless_no_bytes_are()
    {
        BufferCopy.Clear(null, 0);
        BufferCopy.Clear([]);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.Clear(null, 1)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.Clear(null, nuint.MaxValue)).ParamName);
    }

    [Theory]
    [InlineData(false, 32 << 20, ulong.MaxValue)]
    [InlineData(true, 0, 16 << 20)]
    [InlineData(true, 1 << 20, 8 << 20)]
    [InlineData(true, 32 << 20, 16 << 20)]
    [InlineData(true, 512 << 20, 16 << 20)]
    public void Half_of_the_largest_cache_is_the_least_within_limits(bool isSupported, long cache, ulong least) =>
        Assert.Equal(least, StreamingStores.LeastBytesFor(isSupported, cache));

    private static void AssertOnly(Span<byte> around, int start, ReadOnlySpan<byte> expected, string what, byte rest = 0xEE)
    {
        Assert.True(around.Slice(start, expected.Length).SequenceEqual(expected), what + ": other bytes.");
        Assert.False(
            around[..start].ContainsAnyExcept(rest) || around[(start + expected.Length)..].ContainsAnyExcept(rest),
            what + ": more was written.");
    }
}
