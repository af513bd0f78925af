using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Tarn.Tests.Support;

namespace Tarn.Tests.ArrayPool;

/// <summary>Pools of the element types of an assembly that is unloaded, which keep idle buffers for good until then.</summary>
[Collection(Alone.Name)]
[Trait(Alone.Trait, Alone.Yes)]
public sealed class UnloadingTests
{
    [Theory]
    [InlineData(nameof(Guest.UseValues))]
    [InlineData(nameof(Guest.UseObjects))]
    [InlineData(nameof(Guest.UseParts))]
    [InlineData(nameof(Guest.UseBytes))]
    public void Nothing_of_the_library_keeps_a_context_that_is_unloaded(string use)
    {
        WeakReference context = Load(use);
        Eventually.TrueAfterCollections(() => !context.IsAlive, "the context is gone");
    }

    [Fact]
    public void A_pool_goes_on_after_its_context_began_to_unload_and_keeps_nothing()
    {
        AssemblyLoadContext context = new("guest", isCollectible: true);
        Func<long> use = GuestOf(context, nameof(Guest.UseValues));
        Assert.True(use() > 0);
        context.Unload();
        Assert.Equal(0, use());
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Load(string use)
    {
        AssemblyLoadContext context = new("guest", isCollectible: true);
        Assert.True(GuestOf(context, use)() > 0);
        context.Unload();
        return new WeakReference(context);
    }

    private static Func<long> GuestOf(AssemblyLoadContext context, string use)
    {
        Type guest = context.LoadFromAssemblyPath(typeof(Guest).Assembly.Location).GetType(typeof(Guest).FullName!)!;
        Assert.NotSame(typeof(Guest), guest);
        return guest.GetMethod(use, BindingFlags.NonPublic | BindingFlags.Static)!.CreateDelegate<Func<long>>();
    }

    /// <summary>The work of the loaded assembly. Each method returns the bytes that its pool keeps idle.</summary>
    internal static class Guest
    {
        internal static long UseValues() => Use(Pools<Value>.Own);

        internal static long UseObjects() => Use(Pools<Item>.Own);

        /// <summary>The element type is the runtime's, made of the assembly's.</summary>
        internal static long UseParts() => Use(Pools<KeyValuePair<int, Item[]>>.Own);

        internal static long UseBytes() => Use(Pools<byte>.Own);

        private static long Use<T>(BufferPool<T> pool)
        {
            for (int i = 0; i < 20; i++)
            {
                T[] one = pool.Rent(1000);
                T[] other = pool.Rent(1000);
                pool.Return(one);
                pool.Return(other);
            }

            pool.Return(pool.RentExact(1001));
            return pool.GetStatistics().RetainedBytes;
        }

        private static class Pools<T>
        {
            internal static readonly BufferPool<T> Own = BufferPool<T>.Create(new BufferPoolOptions
            {
                IdleTimeout = Timeout.InfiniteTimeSpan,
                Checks = BufferChecks.None,
            });
        }

        private readonly record struct Value(int Number);

        private sealed record Item(int Number);
    }
}
