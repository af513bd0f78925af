namespace Tarn.Tests.Tidy;

public class PublicSurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.Tests/Tidy/PublicSurface.approved.txt", typeof(BufferPool<>).Assembly.GetExportedTypes());

    /// <summary>What a newcomer needs is in the first; the others are for specialists.</summary>
    [Fact]
    public void Everything_public_is_in_one_of_three_namespaces()
    {
        Type[] types = typeof(BufferPool<>).Assembly.GetExportedTypes();
        Assert.Equal(
            ["Tarn", "Tarn.Diagnostics", "Tarn.Native"],
            types.Select(static type => type.Namespace).Distinct().Order(StringComparer.Ordinal));
        Assert.InRange(types.Length, 1, 40);
    }

    [Fact]
    public void The_printed_surface_contains_parameters_defaults_constraints_and_overridability()
    {
        string surface = PublicSurface.Print([typeof(Sample<>)]);

        Assert.Equal(
            """
            namespace Tarn.Tests.Tidy
            abstract class PublicSurfaceTests.Sample<T> : IDisposable where T : class, new()
                .ctor(Int32 first, String second = null)
                Int32 get_Size()
                Void Dispose()
                Void init set_Size(Int32 value)
                const Int32 Limit = 3
                override String ToString()
                protected abstract Boolean TryTake<TKey>(Span<TKey> keys, out T taken) where TKey : ValueType, struct, new()

            """.Replace("Void init set_Size", "init Void set_Size", StringComparison.Ordinal)
                .Split('\n').Order(StringComparer.Ordinal),
            surface.Split('\n').Order(StringComparer.Ordinal));
    }

    public abstract class Sample<T> : IDisposable
        where T : class, new()
    {
        public const int Limit = 3;

        public Sample(int first, string? second = null)
        {
            Size = first + (second?.Length ?? 0);
        }

        public int Size { get; init; }

        public void Dispose() => GC.SuppressFinalize(this);

        public override string ToString() => "";

        protected abstract bool TryTake<TKey>(Span<TKey> keys, out T taken)
            where TKey : struct;

        private protected void Hidden()
        {
        }
    }
}
