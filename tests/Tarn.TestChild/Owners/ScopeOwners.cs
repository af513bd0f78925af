using System.Runtime.Intrinsics;

namespace Tarn.TestChild.Owners;

/// <summary>Scopes of native blocks. What they hand out is gone with them, so only what a scope writes itself touches blocks.</summary>
internal static class ScopeOwners
{
    internal static RacedOwner[] All { get; } =
    [
        new("native scope", static (memory, random) => Fill(memory.Heap.CreateScope(), random), Members()),
    ];

    private static unsafe OwnerMember[] Members() =>
    [
        Of("Allocate", static scope => { Limit(scope); scope.Allocate(24); }),
        Of("Allocate nothing", static scope => { Limit(scope); scope.Allocate(0); }),
        Of("Allocate much", static scope => { Limit(scope); scope.Allocate(100_000); }),
        Of("Allocate elements", static scope => { Limit(scope); scope.Allocate<int>(10); }),
        Of("Allocate vectors", static scope => { Limit(scope); scope.Allocate<Vector512<int>>(2); }),
        Of("AllocateZeroed", static scope => { Limit(scope); scope.AllocateZeroed<byte>(100); }),
        Of("AllocateZeroed much", static scope => { Limit(scope); scope.AllocateZeroed<byte>(20_000); }),
        Of("AllocatedBytes", static scope => _ = scope.AllocatedBytes),
        Of("Reset", static scope => { scope.Allocate(5000); scope.Reset(); }),
        Of("CreateFrame around Allocate", static scope =>
        {
            using NativeFrame frame = scope.CreateFrame();
            scope.Allocate(24);
            scope.Allocate(5000);
        }),
        Of("CreateFrame", static scope =>
        {
            using NativeFrame frame = scope.CreateFrame();
            frame.Allocate<byte>(3000);
            frame.AllocateZeroed<byte>(3000);
            using NativeFrame inner = scope.CreateFrame();
            inner.AllocateZeroed<int>(1);
        }),
        Of("Dispose", static scope => scope.Dispose(), outlives: true),
    ];

    private static OwnerMember Of(string name, Action<NativeScope> call, bool outlives = false) =>
        OwnerMember.Of<NativeScope>(name, (scope, _) => call(scope), outlives);

    private static NativeScope Fill(NativeScope scope, Random random)
    {
        for (int i = random.Next(4); i > 0; i--)
        {
            scope.Allocate<byte>(random.Next(4000));
        }

        return scope;
    }

    private static void Limit(NativeScope scope)
    {
        if (scope.AllocatedBytes > 500_000)
        {
            scope.Reset();
        }
    }
}
