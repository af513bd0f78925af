namespace Tarn.Tests.Copying;

/// <summary>Copies on one core.</summary>
public sealed unsafe class BufferCopyTests
{
    private const int Longest = 300;
    private const int Furthest = 64;

    [Fact]
    public void Overlapping_ranges_are_copied_as_if_through_another()
    {
        byte[] original = Bytes(Longest + (2 * Furthest));
        byte[] expected = new byte[original.Length];
        byte[] bySpan = new byte[original.Length];
        byte[] byAddress = new byte[original.Length];
        for (int length = 0; length <= Longest; length++)
        {
            for (int from = 0; from <= Furthest; from += 1 + (length % 7))
            {
                for (int to = 0; to <= Furthest; to += 1 + (length % 5))
                {
                    original.CopyTo(expected, 0);
                    original.CopyTo(bySpan, 0);
                    original.CopyTo(byAddress, 0);
                    original.AsSpan(from, length).CopyTo(expected.AsSpan(to));
                    BufferCopy.Copy(bySpan.AsSpan(from, length), bySpan.AsSpan(to));
                    fixed (byte* address = byAddress)
                    {
                        BufferCopy.Copy(address + from, address + to, (nuint)length);
                    }

                    if (!bySpan.AsSpan().SequenceEqual(expected) || !byAddress.AsSpan().SequenceEqual(expected))
                    {
                        Assert.Fail($"{length} bytes from {from} to {to} are others.");
                    }
                }
            }
        }
    }

    [Fact]
    public void A_destination_too_short_is_refused_and_untouched()
    {
        byte[] destination = Bytes(10);
        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => BufferCopy.Copy(new byte[11], destination)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentException>(() => BufferCopy.CopyParallel(new byte[11], destination)).ParamName);
        Assert.Equal(Bytes(10), destination);
        BufferCopy.Copy(new byte[9], destination);
        Assert.Equal([0, 0, 0, 0, 0, 0, 0, 0, 0, Bytes(10)[9]], destination);
    }

    [Fact]
    public void Null_addresses_are_refused_unless_there_is_nothing_to_copy()
    {
        byte one = 1;
        byte* address = &one;
        BufferCopy.Copy(null, null, 0);
        BufferCopy.CopyParallel(null, null, 0);
        BufferCopy.Copy([], []);
        BufferCopy.CopyParallel([], []);
        Assert.Equal("source", Assert.Throws<ArgumentNullException>(() => BufferCopy.Copy(null, address, 1)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.Copy(address, null, 1)).ParamName);
        Assert.Equal("source", Assert.Throws<ArgumentNullException>(() => BufferCopy.CopyParallel(null, address, 1)).ParamName);
        Assert.Equal("destination", Assert.Throws<ArgumentNullException>(() => BufferCopy.CopyParallel(address, null, 1)).ParamName);
    }

    internal static byte[] Bytes(int count)
    {
        byte[] bytes = new byte[count];
        new Random(count).NextBytes(bytes);
        return bytes;
    }
}
