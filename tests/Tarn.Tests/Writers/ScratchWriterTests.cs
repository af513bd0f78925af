using System.Globalization;
using System.Text;
using Tarn.Tests.Diagnostics;
using Tarn.Tests.Support;

namespace Tarn.Tests.Writers;

[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class ScratchWriterTests
{
    private readonly BufferPool<byte> _pool = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.Returns });

    [Theory]
    [InlineData(0)]
    [InlineData(3)]
    [InlineData(100)]
    public void It_begins_in_memory_of_the_caller_and_moves_when_that_is_full(int length)
    {
        List<byte> expected = [];
        Span<byte> stack = stackalloc byte[length];
        using ScratchWriter<byte> writer = new(stack, _pool);
        for (byte i = 0; i < 200; i++)
        {
            writer.Append(i);
            writer.Append([i, i]);
            writer.AppendSpan(3).Fill(i);
            expected.AddRange([i, i, i, i, i, i]);
            Assert.Equal(expected.Count > length, writer.IsPooled);
            Assert.Equal(expected.Count, writer.WrittenCount);
        }

        Assert.Equal(expected, writer.WrittenSpan.ToArray());
        Assert.Equal(expected, writer.ToArray());
        Assert.Equal(expected[..(length / 6 * 6)], stack[..(length / 6 * 6)].ToArray());
        writer.Clear();
        Assert.Equal(0, writer.WrittenSpan.Length);
        writer.Append(5);
        Assert.Equal([5], writer.ToArray());
    }

    [Fact]
    public void Disposed_however_often_it_returns_its_buffer_once_and_throws()
    {
        ScratchWriter<byte> writer = new([], _pool);
        writer.Append(1);
        writer.Dispose();
        writer.Dispose();
        AssertAllReturned();
        AssertOver(ref writer);
        ScratchWriter<byte> none = default;
        AssertOver(ref none);
        none.Dispose();
        ScratchWriter<byte> onStack = new(stackalloc byte[10]);
        onStack.Append(1);
        onStack.Dispose();
        AssertOver(ref onStack);
    }

    [Fact]
    public void A_writer_may_append_a_part_of_its_own()
    {
        using CheckedPool<byte> tested = new(BufferChecks.All & ~BufferChecks.GuardPages);
        List<byte> expected = [1, 2, 3, 4];
        using (ScratchWriter<byte> writer = new(stackalloc byte[8], tested.Pool))
        {
            writer.Append([1, 2, 3, 4]);
            for (int i = 0; i < 10; i++)
            {
                writer.Append(writer.WrittenSpan[1..]);
                expected.AddRange([.. expected[1..]]);
            }

            Assert.Equal(expected, writer.ToArray());
        }

        tested.Incidents.AssertNone();
    }

    [Fact]
    public void Wrong_arguments_and_lengths_change_nothing()
    {
        Assert.Throws<ArgumentNullException>("pool", static () => new ScratchWriter<byte>([], null!).Dispose());
        using ScratchWriter<byte> writer = new(stackalloc byte[4]);
        writer.Append([1, 2, 3]);
        AssertThrows<ArgumentOutOfRangeException>(in writer, static (ref w) => w.AppendSpan(-1));
        AssertThrows<InvalidOperationException>(in writer, static (ref w) => w.AppendSpan(int.MaxValue));
        Assert.Equal([1, 2, 3], writer.ToArray());

        using ScratchWriter<Huge> huge = new([]);
        huge.Append(new Huge { First = 7 });
        AssertThrows<OutOfMemoryException>(in huge, static (ref w) => w.AppendSpan(1 << 30));
        Assert.Equal(7, huge.WrittenSpan[0].First);
    }

    [Theory]
    [InlineData(0)]
    [InlineData(7)]
    [InlineData(500)]
    public void Text_is_what_a_string_would_hold(int length)
    {
        const string Word = "wörd€😀";
        object boxed = 1.5m;
        string? nothing = null;
        DateTime time = new(2026, 11, 26, 15, 30, 0, DateTimeKind.Utc);
        CultureInfo culture = CultureInfo.InvariantCulture;
        string expected = string.Create(
            culture, $"a{Word}|{42:X8}|{-7,5}|{7,-5}|{boxed}|{nothing,2}|{time:O}|{new Plain()}|{'x'}|{Word.AsSpan(1)}|{length,300}");

        using ScratchWriter<char> text = new(stackalloc char[length]);
        text.Append(
            culture,
            $"a{Word}|{42:X8}|{-7,5}|{7,-5}"
            + $"|{boxed}|{nothing,2}|{time:O}|{new Plain()}|{'x'}|{Word.AsSpan(1)}|{length,300}");
        Assert.Equal(expected, text.ToString());
        Assert.Equal(expected, new string(text.ToArray()));

        using ScratchWriter<byte> utf8 = new(stackalloc byte[length], _pool);
        utf8.Append(
            culture,
            $"a{Word}|{42:X8}|{-7,5}|{7,-5}"
            + $"|{boxed}|{nothing,2}|{time:O}|{new Plain()}|{'x'}|{Word.AsSpan(1)}|{length,300}");
        Assert.Equal(expected, utf8.ToString());
        Assert.Equal(Encoding.UTF8.GetBytes(expected), utf8.ToArray());
    }

    [Fact]
    public void Text_and_elements_follow_each_other()
    {
        using ScratchWriter<char> text = new(stackalloc char[4]);
        text.Append("abc");
        text.Append('d');
        text.Append($"{1}e{2}");
        text.AppendFormatted(255, "x4", CultureInfo.InvariantCulture);
        text.AppendText("!");
        Assert.Equal("abcd1e200ff!", text.ToString());

        static string Pass(ref ScratchWriter<char> writer)
        {
            writer.Append($"<{3}>");
            return writer.ToString();
        }

        ScratchWriter<char> passed = new(stackalloc char[2]);
        Assert.Equal("<3>", Pass(ref passed));
        Assert.Equal("<3><3>", Pass(ref passed));
        passed.Dispose();
    }

    [Fact]
    public void Spans_and_utf8_align_as_strings_do()
    {
        const string Word = "wörd€";
        using ScratchWriter<char> text = new(stackalloc char[2]);
        text.Append($"[{Word.AsSpan(),10}|{Word.AsSpan(),-10}|{Word.AsSpan():X}|{"né"u8}|{"né"u8,5}|{"né"u8,-5:X}|{"n"u8,0}]");
        Assert.Equal($"[{Word,10}|{Word,-10}|{Word}|né|{"né",5}|{"né",-5}|n]", text.ToString());

        using ScratchWriter<byte> utf8 = new(stackalloc byte[2]);
        utf8.Append($"[{"word".AsSpan(),-10}|{"ne"u8}|{"ne"u8,5}]");
        Assert.Equal($"[{"word",-10}|ne|{"ne",5}]", utf8.ToString());

        using ScratchWriter<char> broken = new(stackalloc char[2]);
        ReadOnlySpan<byte> half = [(byte)'a', 0xC3];
        broken.Append($"{half}");
        Assert.Equal("a\uFFFD", broken.ToString());
    }

    [Fact]
    public void A_formatter_of_the_provider_comes_first()
    {
        using ScratchWriter<byte> text = new(stackalloc byte[2]);
        text.Append(new Shouting(), $"{12:q}{"a"}");
        Assert.Equal("[12:q][a:]", text.ToString());
    }

    [Fact]
    public void Other_elements_than_text_say_so()
    {
        using ScratchWriter<int> numbers = new(stackalloc int[2]);
        numbers.Append(5);
        AssertThrows<NotSupportedException>(in numbers, static (ref w) => w.AppendText("a"));
        AssertThrows<NotSupportedException>(in numbers, static (ref w) => w.Append($"{1}"));
        Assert.Equal("ScratchWriter<Int32>[1]", numbers.ToString());
        Assert.Equal([5], numbers.ToArray());
    }

    [Fact]
    public void An_exception_inside_a_string_leaves_no_buffer_behind()
    {
        for (int length = 0; length < 300; length += 50)
        {
            Assert.Throws<InvalidCastException>(() => Compose(length));
        }

        AssertAllReturned();

        void Compose(int length)
        {
            using ScratchWriter<byte> text = new(stackalloc byte[length], _pool);
            text.Append($"{1,100}{2,1000}{Fail()}");
        }

        static int Fail() => throw new InvalidCastException();
    }

    [Fact]
    public void A_value_that_claims_to_have_written_past_the_memory_is_refused()
    {
        using ScratchWriter<char> text = new(stackalloc char[4]);
        AssertThrows<FormatException>(in text, static (ref w) => w.AppendFormatted(new Lying()));
        Assert.Equal("", text.ToString());
    }

    [Fact]
    public void Once_warm_it_allocates_nothing_and_references_do_not_stay_behind()
    {
        BufferPool<byte> plain = BufferPool<byte>.Create(new BufferPoolOptions { Checks = BufferChecks.None });

        // Code that is not optimized yet boxes the values.
        Eventually.True(() => Allocated() == 0, "a warm writer allocates nothing");

        BufferPool<object> pool = BufferPool<object>.Create();
        using (ScratchWriter<object> objects = new([], pool))
        {
            objects.Append(this);
        }

        Assert.Null(pool.Rent(64)[0]);

        long Allocated()
        {
            long before = GC.GetAllocatedBytesForCurrentThread();
            for (int i = 0; i < 100; i++)
            {
                Compose(i, plain);
            }

            return GC.GetAllocatedBytesForCurrentThread() - before;
        }

        static void Compose(int i, BufferPool<byte> plain)
        {
            using ScratchWriter<byte> text = new(stackalloc byte[16], plain);
            text.Append($"{i} and {i * 1.5:F2} make {DateTime.UnixEpoch:O}{i,200}");
        }
    }

    private static void AssertOver(ref ScratchWriter<byte> writer)
    {
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.Append(1));
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.Append([]));
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.AppendSpan(0));
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.Append($"{1}"));
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.AppendFormatted(1));
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.Clear());
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.ToArray());
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.ToString());
        AssertThrows<ObjectDisposedException>(in writer, static (ref w) => w.WrittenSpan.ToArray());
        Assert.Equal(0, writer.WrittenCount);
    }

    private delegate void Use<T>(scoped ref ScratchWriter<T> writer);

    /// <summary>Takes the writer as <c>in</c>, because one that is declared with <c>using</c> cannot be passed by reference.</summary>
    private static void AssertThrows<TException>(scoped in ScratchWriter<byte> writer, Use<byte> use)
        where TException : Exception => AssertThrows<TException, byte>(in writer, use);

    private static void AssertThrows<TException>(scoped in ScratchWriter<char> writer, Use<char> use)
        where TException : Exception => AssertThrows<TException, char>(in writer, use);

    private static void AssertThrows<TException>(scoped in ScratchWriter<int> writer, Use<int> use)
        where TException : Exception => AssertThrows<TException, int>(in writer, use);

    private static void AssertThrows<TException>(scoped in ScratchWriter<Huge> writer, Use<Huge> use)
        where TException : Exception => AssertThrows<TException, Huge>(in writer, use);

    private static void AssertThrows<TException, T>(scoped in ScratchWriter<T> writer, Use<T> use)
        where TException : Exception
    {
        try
        {
            use(ref System.Runtime.CompilerServices.Unsafe.AsRef(in writer));
        }
        catch (TException)
        {
            return;
        }

        Assert.Fail($"No {typeof(TException).Name} was thrown.");
    }

    private void AssertAllReturned()
    {
        BufferPoolStatistics statistics = _pool.GetStatistics();
        Assert.Equal((0L, statistics.Rented), (statistics.InUseBytes, statistics.Returned));
    }

    private sealed class Plain
    {
        public override string ToString() => "plain";
    }

    private sealed class Shouting : IFormatProvider, ICustomFormatter
    {
        public object? GetFormat(Type? formatType) => formatType == typeof(ICustomFormatter) ? this : null;

        public string Format(string? format, object? arg, IFormatProvider? formatProvider) => $"[{arg}:{format}]";
    }

    private readonly struct Lying : ISpanFormattable
    {
        public bool TryFormat(Span<char> destination, out int charsWritten, ReadOnlySpan<char> format, IFormatProvider? provider)
        {
            charsWritten = destination.Length + 1;
            return true;
        }

        public string ToString(string? format, IFormatProvider? formatProvider) => "";
    }
}
