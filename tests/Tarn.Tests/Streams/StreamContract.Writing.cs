#pragma warning disable CA1835, CA2022 // tests the overloads over arrays as well, and the result of a single read

namespace Tarn.Tests.Streams;

/// <content>Writing, cutting, extending.</content>
public abstract partial class StreamContract
{
    /// <summary>Where the stream ends, and how far behind it something is written.</summary>
    public static TheoryData<int, int> Gaps
    {
        get
        {
            TheoryData<int, int> gaps = [];
            foreach (int length in (int[])[0, 1, 200, 4096, 9_000, 100_000])
            {
                foreach (int gap in (int[])[1, 60, 5000, 300_000])
                {
                    gaps.Add(length, gap);
                }
            }

            return gaps;
        }
    }

    [Theory]
    [MemberData(nameof(Lengths))]
    public void Writing_in_the_middle_leaves_the_rest(int length)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 500);
        for (int at = 0; at < length; at += Math.Max(1, length / 5))
        {
            byte[] other = Contents.Of(Math.Min(length - at, length / 3), seed: at + 2);
            stream.Position = at;
            stream.Write(other, 0, other.Length);
            other.CopyTo(contents, at);
            Assert.Equal(at + other.Length, stream.Position);
        }

        Contents.Verify(stream, contents);
    }

    [Theory]
    [MemberData(nameof(Gaps))]
    public void Zeros_fill_the_gap_between_the_end_and_bytes_written_past_it(int length, int gap)
    {
        byte[] contents = Contents.Of(length);
        foreach (int way in (int[])[0, 1, 2])
        {
            using MemoryStream stream = CreateWith(contents, piece: 1000);
            stream.Position = length + gap;
            Assert.Equal(length, stream.Length);
            byte[] written = Contents.Of(way == 0 ? 1 : 700 * way, seed: 5);
            if (way == 0)
            {
                stream.WriteByte(written[0]);
            }
            else
            {
                stream.Write(written);
            }

            Contents.Verify(stream, [.. contents, .. new byte[gap], .. written]);
            Assert.Equal(stream.Length, stream.Position);
        }
    }

    [Theory]
    [MemberData(nameof(Gaps))]
    public void Nothing_written_behind_the_end_extends_with_zeros_as_well(int length, int gap)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents);
        stream.Position = length + gap;
        stream.Write([]);
        Contents.Verify(stream, [.. contents, .. new byte[gap]]);
        Assert.Equal(length + gap, stream.Position);
    }

    [Theory]
    [MemberData(nameof(Gaps))]
    public void A_longer_length_adds_zeros_and_leaves_the_position(int length, int gap)
    {
        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 1000);
        stream.Position = length / 2;
        stream.SetLength(length + gap);
        Assert.Equal(length / 2, stream.Position);
        Contents.Verify(stream, [.. contents, .. new byte[gap]]);
    }

    [Theory]
    [MemberData(nameof(Gaps))]
    public void Bytes_that_were_cut_off_never_reappear(int length, int gap)
    {
        byte[] contents = Contents.Of(length + gap);
        byte[] expected = [.. contents[..length], .. new byte[gap]];
        foreach (int way in (int[])[0, 1, 2, 3])
        {
            using MemoryStream stream = CreateWith(contents, piece: 1000);
            stream.SetLength(length);
            stream.Position = length + gap - (way == 2 ? 1 : 0);
            switch (way)
            {
                case 0:
                    stream.SetLength(length + gap);
                    break;
                case 1:
                    stream.Write([9]);
                    stream.SetLength(length + gap);
                    break;
                case 2:
                    stream.WriteByte(0);
                    break;
                default:
                    stream.SetLength(length + (gap / 2));
                    stream.SetLength(length + gap);
                    break;
            }

            Contents.Verify(stream, expected);
        }
    }

    [Fact]
    public void A_shorter_length_takes_the_position_along_and_a_longer_one_does_not()
    {
        using MemoryStream stream = CreateWith(Contents.Of(10_000), piece: 1000);
        stream.SetLength(9_000);
        Assert.Equal(9_000, stream.Position);
        stream.Position = 100;
        stream.SetLength(200);
        Assert.Equal(100, stream.Position);
        stream.Position = 5_000;
        stream.SetLength(6_000);
        Assert.Equal(5_000, stream.Position);
        stream.Position = 7_000;
        stream.SetLength(6_000);
        Assert.Equal(6_000, stream.Position);
        stream.Position = 7_000;
        stream.SetLength(6_500);
        Assert.Equal(6_500, stream.Position);
        stream.SetLength(0);
        Assert.Equal((0, 0), (stream.Position, stream.Length));
    }

    [Fact]
    public void Cut_and_written_on_many_times()
    {
        List<byte> model = [];
        using MemoryStream stream = Create();
        for (int round = 0; round < 60; round++)
        {
            byte[] more = Contents.Of(1 + (round * 331 % 9_000), seed: round);
            stream.Write(more);
            model.AddRange(more);
            int length = model.Count * (round % 4) / 4;
            stream.SetLength(length);
            model.RemoveRange(length, model.Count - length);
            Contents.Verify(stream, [.. model]);
        }
    }

    [Theory]
    [InlineData(-1)]
    [InlineData(long.MinValue)]
    public void Negative_lengths_are_refused(long length)
    {
        using MemoryStream stream = CreateWith(Contents.Of(300));
        Assert.Equal("value", Assert.Throws<ArgumentOutOfRangeException>(() => stream.SetLength(length)).ParamName);
        Contents.Verify(stream, Contents.Of(300));
    }

    [Theory]
    [InlineData(100, 100, 100)]
    [InlineData(100, 50, 100)]
    [InlineData(100, 150, 100)]
    [InlineData(5000, 100, 4950)]
    [InlineData(5000, 0, 5000)]
    [InlineData(60_000, 5000, 60_000)]
    public void Its_own_array_can_be_written_to_it(int length, int count, int position)
    {
        if (!HasArray)
        {
            return;
        }

        byte[] contents = Contents.Of(length);
        using MemoryStream stream = CreateWith(contents, piece: 1000);
        byte[] own = stream.GetBuffer();
        count = Math.Min(count, length);
        stream.Position = position;
        stream.Write(own, length - count, count);
        byte[] expected = new byte[Math.Max(length, position + count)];
        contents.CopyTo(expected, 0);
        contents.AsSpan(length - count).CopyTo(expected.AsSpan(position));
        Contents.Verify(stream, expected);
    }
}
