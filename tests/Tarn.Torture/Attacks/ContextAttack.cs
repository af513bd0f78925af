using System.Reflection;
using System.Runtime.CompilerServices;
using System.Runtime.Loader;
using Tarn.Torture.Findings;

namespace Tarn.Torture.Attacks;

/// <summary>
/// Assemblies that are loaded to be unloaded use the library with element types of their own; when they are gone, nothing of the library
/// keeps them. In some it is a copy of the library itself.
/// </summary>
internal sealed class ContextAttack : IAttack
{
    /// <summary>
    /// A copy of the library has an event source and a clock, which the runtime keeps: they are not unloaded, so few are made.
    /// </summary>
    private const int MostCopies = 2;

    /// <inheritdoc/>
    public string Name => "contexts";

    /// <inheritdoc/>
    public string Description => "collectible load contexts that use the library with element types of their own, and unload";

    /// <inheritdoc/>
    public void Run(AttackContext context)
    {
        List<WeakReference> copies = [];
        do
        {
            bool hasOwn = copies.Count < MostCopies && context.Random.Next(4) == 0;
            WeakReference loaded = Use(context, hasOwn);
            if (hasOwn)
            {
                copies.Add(loaded);
                context.Count("contexts with a library of their own");
                continue;
            }

            Require.Eventually(
                () =>
                {
                    GC.Collect();
                    GC.WaitForPendingFinalizers();
                    return !loaded.IsAlive;
                },
                "a context that was unloaded is gone");
            context.Count("contexts unloaded");
        }
        while (!context.IsOver);

        if (copies.Count > 0)
        {
            Collect();
            context.Count("of these with a library unloaded", copies.Count(static copy => !copy.IsAlive));
        }
    }

    private static void Collect()
    {
        for (int i = 0; i < 3; i++)
        {
            GC.Collect();
            GC.WaitForPendingFinalizers();
        }
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static WeakReference Use(AttackContext context, bool copiesLibrary)
    {
        Guests guests = new(copiesLibrary);
        Type guest = guests.LoadFromAssemblyPath(typeof(ContextAttack).Assembly.Location).GetType(typeof(ContextGuest).FullName!)!;
        Require.That(guest != typeof(ContextGuest), "The guest is not the context's own.");
        object? operations = guest.GetMethod(nameof(ContextGuest.Use), BindingFlags.NonPublic | BindingFlags.Static)!
            .Invoke(null, [context.Random.Next()]);
        context.Count("operations", (long)operations!);
        guests.Unload();
        return new WeakReference(guests);
    }

    /// <summary>Loads the guest's assembly again, and a separate copy of the library where requested.</summary>
    private sealed class Guests(bool copiesLibrary) : AssemblyLoadContext(isCollectible: true)
    {
        protected override Assembly? Load(AssemblyName assemblyName)
        {
            Assembly library = typeof(NativeHeap).Assembly;
            return copiesLibrary && assemblyName.Name == library.GetName().Name ? LoadFromAssemblyPath(library.Location) : null;
        }
    }
}
