using System.Runtime.InteropServices;
using System.Text;

namespace Tarn.Tests.Copying;

/// <summary>The loop that copies what a core's caches hold, on every processor.</summary>
public sealed class CachedCopyTests
{
    private const int Margin = 8 << 10;
    private const byte Untouched = 0xA5;

    /// <summary>Places in a cache line and in a page, so that each direction is taken for each reason.</summary>
    private static readonly int[] s_places = [0, 1, 16, 31, 40, 64, 1000, 1100, 4000];

    /// <summary>Around the lengths from which on the loop works in another way.</summary>
    public static TheoryData<int> Lengths =>
        [256, 257, 383, 384, 385, 511, 1023, 1024, 1025, 1151, 4096, 16383, 16384, 16385, 16511, 40_007, 1 << 20, (1 << 20) + 1];

    /// <summary>Signatures of an EPYC 9004, 7003, 9005 and 7002, and of a Xeon of the fourth generation.</summary>
    [Theory]
    [InlineData("AuthenticAMD", 0x00A10F11, true, 256, 1 << 20)]
    [InlineData("AuthenticAMD", 0x00A10F11, false, 2049, 512 << 10)]
    [InlineData("AuthenticAMD", 0x00A00F11, false, 2049, 512 << 10)]
    [InlineData("AuthenticAMD", 0x00B00F21, true, 0, 0)]
    [InlineData("AuthenticAMD", 0x00830F10, false, 0, 0)]
    [InlineData("GenuineIntel", 0x000806F8, true, 0, 0)]
    public void The_loop_is_for_processors_on_which_it_was_measured(string vendor, int signature, bool hasAvx512, int least, int most)
    {
        ReadOnlySpan<int> words = MemoryMarshal.Cast<byte, int>(Encoding.ASCII.GetBytes(vendor));

        // The words are in the registers EBX, EDX, ECX.
        Assert.Equal((least, most), CachedCopy.LengthsOn((16, words[0], words[2], words[1]), signature, hasAvx512));
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void The_loop_writes_every_byte_and_no_other(int length)
    {
        byte[] source = Bytes(length + Margin);
        byte[] target = new byte[length + Margin];
        foreach (int from in s_places)
        {
            foreach (int to in s_places)
            {
                foreach (bool isBackward in (bool[])[false, true])
                {
                    Array.Fill(target, Untouched);
                    CachedCopy.CopyLoop(ref source[from], ref target[to], (nuint)length, isBackward);

                    Assert.True(target.AsSpan(to, length).SequenceEqual(source.AsSpan(from, length)), $"{from} to {to}, {isBackward}");
                    Assert.False(target.AsSpan(0, to).ContainsAnyExcept(Untouched));
                    Assert.False(target.AsSpan(to + length).ContainsAnyExcept(Untouched));
                }
            }
        }
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Overlapping_ranges_are_copied_as_if_through_another(int length)
    {
        byte[] original = Bytes(3 * length);
        byte[] expected = new byte[original.Length];
        byte[] bytes = new byte[original.Length];
        foreach (int distance in (int[])[0, 1, 31, 32, 128, 200, length - 1, length])
        {
            foreach (int to in (int[])[length - distance, length + distance])
            {
                foreach (bool isBackward in (bool[])[false, true])
                {
                    original.CopyTo(expected, 0);
                    Array.Copy(original, length, expected, to, length);
                    original.CopyTo(bytes, 0);
                    CachedCopy.CopyLoop(ref bytes[length], ref bytes[to], (nuint)length, isBackward);

                    Assert.True(bytes.AsSpan().SequenceEqual(expected), $"{length} to {to}, {isBackward}");
                }
            }
        }
    }

    [Theory]
    [InlineData(0)]
    [InlineData(1)]
    [InlineData(255)]
    [InlineData(256)]
    [InlineData(2048)]
    [InlineData(2049)]
    [InlineData(40_007)]
    [InlineData(512 << 10)]
    [InlineData((512 << 10) + 1)]
    [InlineData((1 << 20) + 1)]
    public void All_copies_take_any_length(int length)
    {
        byte[] source = Bytes(length);
        byte[] target = new byte[length + 1];
        CachedCopy.Copy(source, target);
        Assert.Equal(source, target[..length]);
        Array.Clear(target);
        CachedCopy.CopyOut(source, target);
        Assert.Equal(source, target[..length]);
        Array.Clear(target);
        BufferCopy.Copy(source, target);
        Assert.Equal(source, target[..length]);
        Assert.Equal(0, target[length]);
        Assert.Throws<ArgumentException>(() => CachedCopy.Copy(new byte[length + 1], target.AsSpan(1)[..length]));
        Assert.Throws<ArgumentException>(() => BufferCopy.Copy(new byte[length + 1], target.AsSpan(1)[..length]));
    }

    private static byte[] Bytes(int length)
    {
        byte[] bytes = new byte[length];
        new Random(length).NextBytes(bytes);
        return bytes;
    }
}
