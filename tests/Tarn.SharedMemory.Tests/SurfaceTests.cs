using System.Reflection;
using System.Runtime.CompilerServices;
using Tarn.Tests.Tidy;

namespace Tarn.SharedMemory.Tests;

public class SurfaceTests
{
    [Fact]
    public void The_public_surface_is_the_approved_one() =>
        PublicSurface.AssertApproved(
            "tests/Tarn.SharedMemory.Tests/PublicSurface.approved.txt", typeof(SharedRegion).Assembly.GetExportedTypes());

    [Fact]
    public void Everything_public_is_in_the_one_namespace() =>
        Assert.All(typeof(SharedRegion).Assembly.GetExportedTypes(), static type => Assert.Equal("Tarn.SharedMemory", type.Namespace));

    /// <summary>The library is bound to the public surface of the other one, not to a build of it.</summary>
    [Fact]
    public void The_other_library_lets_this_one_see_nothing_internal() =>
        Assert.DoesNotContain(
            typeof(BufferPool<>).Assembly.GetCustomAttributes<InternalsVisibleToAttribute>(),
            static friend => friend.AssemblyName == "Tarn.SharedMemory");
}
