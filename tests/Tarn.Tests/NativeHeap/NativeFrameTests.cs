using Tarn.Tests.Tidy;

namespace Tarn.Tests.NativeHeaps;

/// <summary>What the compiler refuses about frames, and what they refuse themselves.</summary>
public sealed unsafe class NativeFrameTests : IDisposable
{
    private readonly NativeHeap _heap = new(new NativeHeapOptions { Name = "frames", Checks = BufferChecks.None });

    /// <summary>Ways out of the method for a span or a frame, with the error of the compiler.</summary>
    private static readonly Dictionary<string, (string Error, string Code)> s_ways = new()
    {
        ["returned"] = ("CS8352", """
            static Span<int> Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                Span<int> span = frame.Allocate<int>(1);
                return span;
            }
            """),
        ["returned at once"] = ("CS8168", """
            static Span<int> Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                return frame.Allocate<int>(1);
            }
            """),
        ["returned zeroed"] = ("CS8352", """
            static ReadOnlySpan<int> Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                Span<int> span = frame.AllocateZeroed<int>(10);
                return span[1..3];
            }
            """),
        ["returned from a helper"] = ("CS8166", """
            static Span<int> Out(NativeFrame frame) => frame.Allocate<int>(1);
            """),
        ["returned through a helper"] = ("CS8352", """
            static Span<int> Rows(in NativeFrame frame) => frame.Allocate<int>(1);
            static Span<int> Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                Span<int> rows = Rows(in frame);
                return rows;
            }
            """),
        ["assigned to an outer variable"] = ("CS8352", """
            static void Out(NativeScope scope)
            {
                Span<int> outer = default;
                using (NativeFrame frame = scope.CreateFrame())
                {
                    Span<int> span = frame.Allocate<int>(1);
                    outer = span;
                }

                outer[0] = 1;
            }
            """),
        ["assigned to an out parameter"] = ("CS8352", """
            static void Out(NativeScope scope, out Span<int> outer)
            {
                using NativeFrame frame = scope.CreateFrame();
                Span<int> span = frame.Allocate<int>(1);
                outer = span;
            }
            """),
        ["kept across an await"] = ("CS4007", """
            static async Task Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                await Task.Yield();
                frame.Allocate<int>(1);
            }
            """),
        ["kept by a lambda"] = ("CS8175", """
            static Action Out(NativeScope scope)
            {
                using NativeFrame frame = scope.CreateFrame();
                return () => frame.Allocate<int>(1);
            }
            """),
        ["kept in a field"] = ("CS8345", """
            NativeFrame _frame;
            """),
    };

    public static TheoryData<string> Ways => [.. s_ways.Keys];

    public void Dispose() => _heap.Dispose();

    [Theory]
    [MemberData(nameof(Ways))]
    public void The_compiler_keeps_it_inside_the_method(string way)
    {
        (string error, string code) = s_ways[way];
        IReadOnlyList<string> refused = Compile(code);
        Assert.NotEmpty(refused);
        Assert.All(refused, one => Assert.Contains($"error {error}:", one, StringComparison.Ordinal));
    }

    [Fact]
    public void What_stays_inside_the_method_compiles() => Assert.Empty(Compile("""
        static int Sum(NativeScope scope)
        {
            using NativeFrame frame = scope.CreateFrame();
            Span<int> span = frame.Allocate<int>(10);
            Span<int> rows = Rows(in frame);
            span.CopyTo(rows);
            Span<int> widest = span;
            using (NativeFrame inner = scope.CreateFrame())
            {
                Span<int> other = inner.AllocateZeroed<int>(10);
                other.CopyTo(widest);
                Use(other);
            }

            return rows[0];
        }

        static Span<int> Rows(in NativeFrame frame) => frame.Allocate<int>(10);

        static void Use(ReadOnlySpan<int> span) { }

        static async Task Between(NativeScope scope)
        {
            await Task.Yield();
            using (NativeFrame frame = scope.CreateFrame())
            {
                frame.Allocate<int>(1).Clear();
            }

            await Task.Yield();
        }
        """));

    [Fact]
    public void What_was_allocated_in_it_and_since_goes_back_when_it_is_disposed()
    {
        using NativeScope scope = _heap.CreateScope();
        Span<int> before = scope.Allocate<int>(12);
        before.Fill(7);
        for (int round = 0; round < 3; round++)
        {
            using (NativeFrame frame = scope.CreateFrame())
            {
                frame.Allocate<int>(100).Fill(1);
                Assert.Equal(-1, frame.AllocateZeroed<long>(100_000).IndexOfAnyExcept(0));
                scope.Allocate<int>(1000).Fill(1);
                Assert.Equal((0, 0), (frame.Allocate<int>(0).Length, frame.AllocateZeroed<int>(0).Length));
                Assert.True(_heap.GetStatistics().InUseBlocks > 1);
            }

            Assert.Equal((48, 1), (scope.AllocatedBytes, _heap.GetStatistics().InUseBlocks));
            Assert.Equal(-1, before.IndexOfAnyExcept(7));
        }
    }

    [Fact]
    public void Frames_nest_and_only_the_newest_allocates()
    {
        using NativeScope scope = _heap.CreateScope();
        using NativeFrame outer = scope.CreateFrame();
        outer.Allocate<byte>(16);
        using (NativeFrame inner = scope.CreateFrame())
        {
            inner.Allocate<byte>(16);
            Assert.Contains("newer frame", Refusal<InvalidOperationException>(in outer).Message, StringComparison.Ordinal);
            Assert.Equal(32, scope.AllocatedBytes);
        }

        outer.Allocate<byte>(16);
        Assert.Equal(32, scope.AllocatedBytes);
    }

    [Fact]
    public void A_second_disposal_frees_nothing_that_came_between()
    {
        using NativeScope scope = _heap.CreateScope();
        NativeFrame frame = scope.CreateFrame();
        NativeFrame copy = frame;
        frame.Allocate<byte>(100);
        frame.Dispose();
        scope.Allocate(100);
        copy.Dispose();
        frame.Dispose();
        Assert.Equal(112, scope.AllocatedBytes);
        Refusal<ObjectDisposedException>(in frame);

        using NativeFrame other = scope.CreateFrame();
        copy.Dispose();
        other.Allocate<byte>(1);
        Refusal<ObjectDisposedException>(in copy);
    }

    [Fact]
    public void Disposed_out_of_order_it_ends_the_newer_ones()
    {
        using NativeScope scope = _heap.CreateScope();
        NativeFrame outer = scope.CreateFrame();
        outer.Allocate<byte>(16);
        NativeFrame inner = scope.CreateFrame();
        inner.Allocate<byte>(16);
        outer.Dispose();
        Assert.Equal(0, scope.AllocatedBytes);
        Refusal<ObjectDisposedException>(in inner);
        scope.Allocate(16);
        inner.Dispose();
        Assert.Equal(16, scope.AllocatedBytes);
    }

    [Theory]
    [InlineData("reset")]
    [InlineData("older frame")]
    [InlineData("dispose")]
    [InlineData("heap")]
    public void It_ends_with_what_its_scope_gives_back(string how)
    {
        NativeHeap heap = new();
        NativeScope scope = heap.CreateScope();
        NativeFrame older = scope.CreateFrame();
        NativeFrame frame = scope.CreateFrame();
        frame.Allocate<byte>(100_000);
        switch (how)
        {
            case "reset":
                scope.Reset();
                break;
            case "older frame":
                older.Dispose();
                break;
            case "dispose":
                scope.Dispose();
                break;
            default:
                heap.Dispose();
                break;
        }

        if (how != "heap")
        {
            Refusal<ObjectDisposedException>(in frame);
        }

        frame.Dispose();
        scope.Dispose();
        heap.Dispose();
    }

    [Fact]
    public void A_default_instance_refuses_everything_but_its_disposal()
    {
        NativeFrame frame = default;
        Refusal<ObjectDisposedException>(in frame);
        frame.Dispose();
    }

    [Fact]
    public void What_cannot_be_is_refused_and_the_frame_goes_on()
    {
        using NativeScope scope = _heap.CreateScope();
        using NativeFrame frame = scope.CreateFrame();
        ArgumentOutOfRangeException? refused = null;
        try
        {
            frame.Allocate<int>(-1);
        }
        catch (ArgumentOutOfRangeException e)
        {
            refused = e;
        }

        Assert.Equal("length", refused?.ParamName);
        frame.Allocate<int>(1);
    }

    private static IReadOnlyList<string> Compile(string members) => DocumentExamples.Compile(
        $"class Example\n{{\n{members}\n}}", " global using Tarn.Native;");

    /// <summary>What a frame throws; no lambda may capture one.</summary>
    private static TException Refusal<TException>(in NativeFrame frame)
        where TException : Exception
    {
        try
        {
            frame.Allocate<int>(1);
        }
        catch (TException refused)
        {
            return refused;
        }

        throw new InvalidOperationException("The frame allocated.");
    }
}
